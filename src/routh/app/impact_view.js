/** The diagram of one impact as a component of the app. */

import { card } from "routh-web/impact.js";

export default {
  template: '<div class="routh"></div>',
  methods: {
    show(impact) {
      this.$el.replaceChildren(card(impact));
    },
  },
};
