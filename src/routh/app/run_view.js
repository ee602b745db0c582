/** The viewer of reports as a component of the app. */

import { OrbitControls, THREE } from "nicegui-scene";
import { Viewer } from "routh-web/viewer.js";

export default {
  template: "<div></div>",
  mounted() {
    this.viewer = new Viewer(this.$el, { THREE, OrbitControls });
    this.viewer.canCompare = true;
    this.watch = new MutationObserver(() => this.paint());
    this.watch.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    this.paint();
  },
  unmounted() {
    this.watch.disconnect();
    this.viewer.dispose();
  },
  methods: {
    show(run) {
      const first = !this.viewer.run;
      this.viewer.pause();
      this.viewer.load(run);
      if (first && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.viewer.play();
      this.$el.dataset.shown = Number(this.$el.dataset.shown ?? 0) + 1;
    },
    paint() {
      this.viewer.setDark(document.body.classList.contains("body--dark"));
    },
  },
};
