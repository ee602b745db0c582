/** All bodies of a run: those that look alike are instances of one geometry, so that hundreds cost a few calls. */

import { build } from "./parts.js";
import { Triangles } from "./triangles.js";

const LAYER = 0.3; // of the depth of a planar body between bodies of different colours

export class Bodies {
  /** `look` is what `build` wants; `copies` instances of each body, for poses at several instants. */
  constructor(look, { parts, colours }, material, copies = 1) {
    const { THREE } = look;
    this.THREE = THREE;
    this.root = new THREE.Group();
    this.copies = copies;
    this.layers = colours.map((colour, i) => (look.planar ? (colour + 0.5 * (i % 2)) * LAYER * look.depth : 0));
    const kinds = new Map();
    colours.forEach((_, i) => {
      const key = JSON.stringify(parts[i]);
      if (!kinds.has(key)) kinds.set(key, []);
      kinds.get(key).push(i);
    });
    this.kinds = [...kinds.values()].map((members) => {
      const out = new Triangles(THREE);
      for (const part of parts[members[0]]) build(part, look, out);
      const mesh = new THREE.InstancedMesh(out.geometry(), material, members.length * copies);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      this.root.add(mesh);
      return { mesh, members };
    });
    this.spot = { place: new THREE.Vector3(), turn: new THREE.Quaternion(), one: new THREE.Vector3(1, 1, 1) };
    this.matrix = new THREE.Matrix4();
    this.nowhere = new THREE.Matrix4().makeScale(0, 0, 0);
  }

  /** Put copy number `copy` of every body at its pose, seven numbers each. */
  place(poses, copy = 0) {
    const { place, turn, one } = this.spot;
    for (const { mesh, members } of this.kinds) {
      members.forEach((b, k) => {
        const p = poses.subarray(7 * b, 7 * b + 7);
        const finite = p.every(Number.isFinite);
        if (finite) {
          place.set(p[0], p[1], p[2] + this.layers[b]);
          turn.set(p[4], p[5], p[6], p[3]);
          this.matrix.compose(place, turn, one);
        }
        mesh.setMatrixAt(copy * members.length + k, finite ? this.matrix : this.nowhere);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** Give every body a colour: `colour(index)` returns one of three.js. */
  paint(colour) {
    for (const { mesh, members } of this.kinds) {
      for (let copy = 0; copy < this.copies; copy++)
        members.forEach((b, k) => mesh.setColorAt(copy * members.length + k, colour(b)));
      mesh.instanceColor.needsUpdate = true;
    }
  }

  dispose() {
    for (const { mesh } of this.kinds) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.root.removeFromParent();
  }
}
