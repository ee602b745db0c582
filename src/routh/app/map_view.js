/** A map of classes as a component of the app. */

import { map } from "routh-web/map.js";

export default {
  template: '<div class="routh"></div>',
  methods: {
    show(data) {
      this.$el.replaceChildren(map(data));
    },
  },
};
