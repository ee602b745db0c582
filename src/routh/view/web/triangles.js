/** Triangles with a tone each, gathered into one geometry: a body is one call to the graphics card. */

export class Triangles {
  constructor(THREE) {
    this.THREE = THREE;
    this.positions = [];
    this.normals = [];
    this.tones = []; // r, g, b, alpha per corner; multiplied with the colour of the body
  }

  /** Add a geometry of three.js; `tone` is a number, or a function of the middle of each triangle before it is placed. */
  add(geometry, tone = 1, place = null) {
    const { THREE } = this;
    const plain = geometry.index ? geometry.toNonIndexed() : geometry;
    const { position } = plain.attributes;
    const normal = plain.attributes.normal ?? (plain.computeVertexNormals(), plain.attributes.normal);
    const turn = place ? new THREE.Matrix3().getNormalMatrix(place) : null;
    const p = new THREE.Vector3(),
      n = new THREE.Vector3(),
      middle = new THREE.Vector3();
    for (let i = 0; i < position.count; i += 3) {
      middle.set(0, 0, 0);
      for (let k = 0; k < 3; k++) middle.add(p.fromBufferAttribute(position, i + k));
      const shade = typeof tone === "function" ? tone(middle.divideScalar(3)) : tone;
      for (let k = 0; k < 3; k++) {
        p.fromBufferAttribute(position, i + k);
        n.fromBufferAttribute(normal, i + k);
        if (place) {
          p.applyMatrix4(place);
          n.applyMatrix3(turn).normalize();
        }
        this.corner(p.x, p.y, p.z, n.x, n.y, n.z, shade);
      }
    }
    plain.dispose();
    geometry.dispose();
  }

  corner(x, y, z, nx, ny, nz, tone, alpha = 1) {
    this.positions.push(x, y, z);
    this.normals.push(nx, ny, nz);
    this.tones.push(tone, tone, tone, alpha);
  }

  /** A flat piece with four corners [x, y, z] in order; `alphas` one each where they fade. */
  quad(corners, [nx, ny, nz], tone, alphas = [1, 1, 1, 1]) {
    for (const k of [0, 1, 2, 0, 2, 3]) this.corner(...corners[k], nx, ny, nz, tone, alphas[k]);
  }

  geometry() {
    const { THREE } = this;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.positions, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(this.normals, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(this.tones, 4));
    geometry.computeBoundingSphere();
    return geometry;
  }
}
