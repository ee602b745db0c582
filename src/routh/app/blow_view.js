/** The diagram of one blow as a component of the app. */

import { card } from "routh-web/blow.js";

export default {
  template: '<div class="routh"></div>',
  methods: {
    show(blow) {
      this.$el.replaceChildren(card(blow));
    },
  },
};
