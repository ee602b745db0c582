/** Arrows with heads of one size, as many as wanted, in two calls to the graphics card. */

export class Arrows {
  constructor(THREE, most) {
    this.THREE = THREE;
    this.most = most;
    this.root = new THREE.Group();
    const material = () => new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8), material(), most);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 12), material(), most);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 20;
      this.root.add(mesh);
    }
    this.colour = new THREE.Color();
    this.begin();
  }

  begin() {
    this.count = 0;
  }

  /** An arrow that starts at `from` and goes along `way`, `wide` thick at its shaft. */
  put(from, way, wide, colour) {
    const { THREE } = this;
    const length = way.length();
    if (!(length > 1e-9 * wide) || this.count >= this.most) return;
    const head = Math.min(7 * wide, 0.6 * length);
    const thick = wide * Math.min(1, length / (6 * wide));
    const along = way.clone().divideScalar(length);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    const matrix = new THREE.Matrix4();
    const shaft = length - head;
    matrix.compose(from.clone().addScaledVector(along, 0.5 * shaft), turn, new THREE.Vector3(thick, shaft, thick));
    this.shafts.setMatrixAt(this.count, matrix);
    matrix.compose(from.clone().addScaledVector(along, length - 0.5 * head), turn, new THREE.Vector3(2.8 * thick, head, 2.8 * thick));
    this.heads.setMatrixAt(this.count, matrix);
    this.colour.set(colour);
    this.shafts.setColorAt(this.count, this.colour);
    this.heads.setColorAt(this.count, this.colour);
    this.count++;
  }

  end() {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  dispose() {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.dispose();
    }
    this.root.removeFromParent();
  }
}
