/** Rods, ropes and springs between two bodies: straight pieces and coils, all instances of two geometries. */

const PIECES = 14; // of a rope
const TURNS = 9; // of a coil

/** A coil of unit length along y and unit radius. */
function coil(THREE) {
  class Helix extends THREE.Curve {
    getPoint(s, target = new THREE.Vector3()) {
      const inner = Math.min(1, Math.max(0, (s - 0.12) / 0.76));
      const wide = Math.min(1, 12 * inner, 12 * (1 - inner));
      const turn = 2 * Math.PI * TURNS * inner;
      return target.set(wide * Math.cos(turn), s, wide * Math.sin(turn));
    }
  }
  return new THREE.TubeGeometry(new Helix(), 24 * TURNS, 0.13, 5);
}

export class Links {
  constructor(THREE, links, radius, planar, materials) {
    Object.assign(this, { THREE, links, radius, planar });
    this.root = new THREE.Group();
    const pieces = links.reduce((sum, { kind }) => sum + (kind === "spring" ? 0 : kind === "rope" ? PIECES : 1), 0);
    const springs = links.filter(({ kind }) => kind === "spring").length;
    this.sticks = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10), materials.stick, Math.max(1, pieces));
    this.coils = new THREE.InstancedMesh(coil(THREE), materials.coil, Math.max(1, springs));
    for (const [mesh, count] of [[this.sticks, pieces], [this.coils, springs]]) {
      mesh.count = count;
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      this.root.add(mesh);
    }
  }

  /** Stretch every link between its ends; `end(body, point)` gives them in the world. */
  place(end) {
    let sticks = 0,
      coils = 0;
    for (const { kind, a, b, point_a, point_b, length } of this.links) {
      const [from, to] = [end(a, point_a), end(b, point_b)];
      if (kind === "spring") this.put(this.coils, coils++, from, to, 1.5 * this.radius);
      else if (kind === "rope") {
        const hang = this.hanging(from, to, length);
        for (let k = 0; k < PIECES; k++) this.put(this.sticks, sticks++, hang(k / PIECES), hang((k + 1) / PIECES), 0.28 * this.radius);
      } else this.put(this.sticks, sticks++, from, to, 0.6 * this.radius);
    }
    this.sticks.instanceMatrix.needsUpdate = this.coils.instanceMatrix.needsUpdate = true;
  }

  /** A rope that is longer than its way hangs in a parabola of about its length. */
  hanging(from, to, length) {
    const way = from.distanceTo(to);
    const sag = length > way ? Math.sqrt(0.375 * way * (length - way)) + 0.5 * Math.max(0, length - 2 * way) : 0;
    return (s) => from.clone().lerp(to, s).addScaledVector(this.down, 4 * s * (1 - s) * sag);
  }

  put(mesh, index, from, to, wide) {
    const { THREE } = this;
    const way = to.clone().sub(from);
    const length = way.length() || 1e-9;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
    const place = mesh === this.coils ? from : from.clone().lerp(to, 0.5);
    mesh.setMatrixAt(index, new THREE.Matrix4().compose(place, turn, new THREE.Vector3(wide, length, wide)));
  }

  dispose() {
    for (const mesh of [this.sticks, this.coils]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.root.removeFromParent();
  }
}
