/** The camera: it fits the moving bodies, follows them where they travel far, and stays above the floor. */

const LEAST = 1 / 5; // of a journey that is seen at once
const ROOM = 1.12; // around what is fitted
const ANGLE = 32; // degrees of the field of view, upright

/** The size of what the camera sees. */
export function sight({ low, high, span }, follow) {
  const whole = Math.hypot(...high.map((x, k) => x - low[k])) || 1;
  return follow ? Math.min(whole, Math.max(span, LEAST * whole)) : whole;
}

export class Camera {
  /** `redraw` is called when the user moves it. */
  constructor({ THREE, OrbitControls }, canvas, scene, planar, floor, redraw) {
    Object.assign(this, { THREE, scene, planar });
    this.eye = planar
      ? new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1)
      : new THREE.PerspectiveCamera(ANGLE, 1, 1e-3, 1);
    this.up = new THREE.Vector3(...scene.up);
    this.eye.up.copy(this.up);
    this.controls = new OrbitControls(this.eye, canvas);
    this.controls.addEventListener("start", () => (this.touched = true));
    this.controls.addEventListener("change", redraw);
    if (floor) this.controls.maxPolarAngle = 0.48 * Math.PI;
    if (planar) {
      this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.ROTATE };
      this.controls.maxPolarAngle = 0.62 * Math.PI;
      this.controls.minPolarAngle = 0.2 * Math.PI;
      this.controls.minAzimuthAngle = -0.35 * Math.PI;
      this.controls.maxAzimuthAngle = 0.35 * Math.PI;
    }
  }

  /** Look at everything, or at the bodies around `centre` while they are followed; `tilt` shows a planar scene from the side. */
  aim(follow, centre, width, height, tilt = false) {
    const { THREE } = this;
    const { low, high, span } = this.scene;
    const size = sight(this.scene, follow);
    const middle = follow ? centre.clone() : new THREE.Vector3(...low.map((x, k) => 0.5 * (x + high[k])));
    this.touched = false;
    this.followed = follow ? centre.clone() : null;
    this.size = size;
    const back = this.direction(tilt);
    const half = follow
      ? new THREE.Vector3(1, 1, this.planar ? 0 : 1).multiplyScalar(0.5 * Math.max(size, span) * (this.planar ? 0.95 : 0.6))
      : new THREE.Vector3(...high.map((x, k) => 0.5 * (x - low[k])));
    const corners = [];
    for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1])
      corners.push(new THREE.Vector3(x * half.x, y * half.y, z * half.z));
    const right = this.up.clone().cross(back).normalize();
    const over = back.clone().cross(right);
    this.eye.zoom = 1;
    if (this.planar) {
      this.wide = Math.max(...corners.map((c) => Math.abs(c.dot(right))), 1e-9);
      this.tall = Math.max(...corners.map((c) => Math.abs(c.dot(over))), 1e-9);
      this.eye.near = 0;
      this.eye.far = 400 * size;
      this.eye.position.copy(middle).addScaledVector(back, 200 * size);
    } else {
      const slope = Math.tan((ANGLE * Math.PI) / 360);
      const aspect = width / height;
      const away = Math.max(
        ...corners.map((c) => c.dot(back) + ROOM * Math.max(Math.abs(c.dot(over)), Math.abs(c.dot(right)) / aspect) / slope),
      );
      this.eye.near = 0.02 * away;
      this.eye.far = 60 * away;
      this.eye.position.copy(middle).addScaledVector(back, away);
    }
    this.controls.target.copy(middle);
    this.resize(width, height);
    this.controls.update();
  }

  /** From where the scene is seen first: the front in the plane, above the shoulder in space. */
  direction(tilt) {
    const { THREE, up } = this;
    if (this.planar) return tilt ? new THREE.Vector3(0.5, 0.42, 1).normalize() : new THREE.Vector3(0, 0, 1);
    const side = Math.abs(up.z) > 0.9 ? new THREE.Vector3(0.5, -1, 0) : new THREE.Vector3(0.5, 0, 1);
    const back = side.addScaledVector(up, -side.dot(up)).normalize();
    return back.addScaledVector(up, 0.42).normalize();
  }

  /** Keep the place beside the middle of the bodies. */
  follow(centre) {
    if (this.followed) {
      const step = centre.clone().sub(this.followed);
      this.eye.position.add(step);
      this.controls.target.add(step);
      this.followed.copy(centre);
    }
  }

  resize(width, height) {
    if (this.planar) {
      const fit = ROOM * Math.max(this.tall, (this.wide * height) / width);
      Object.assign(this.eye, { top: fit, bottom: -fit, left: (-fit * width) / height, right: (fit * width) / height });
    } else this.eye.aspect = width / height;
    this.eye.updateProjectionMatrix();
  }

  dispose() {
    this.controls.dispose();
  }
}
