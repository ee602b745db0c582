/** The viewer of reports as a component of the app. */

import { OrbitControls, THREE } from "nicegui-scene";
import { Viewer } from "routh-web/viewer.js";

export default {
  template: "<div></div>",
  mounted() {
    this.viewer = new Viewer(this.$el, { THREE, OrbitControls });
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
      this.viewer.load(run);
      this.$el.dataset.shown = Number(this.$el.dataset.shown ?? 0) + 1;
    },
    paint() {
      this.viewer.setDark(document.body.classList.contains("body--dark"));
    },
  },
};
