/** A labelled slider with its number, and as `data-ran` the value of the run that is shown; the browser's own, so that keys, screen readers and touch just work. */

import { show } from "routh-web/run.js";

export default {
  props: { label: String, unit: String, low: Number, high: Number, value: Number, ran: Number, trouble: String },
  template: `
    <label class="knob" :data-ran="ran">
      <span class="text"><span>{{ label }}</span><span class="number">{{ said }}</span></span>
      <input type="range" :aria-invalid="Boolean(trouble)" :min="low" :max="high" :step="(high - low) / 200" :value="now" @input="move" />
      <span v-if="trouble" class="trouble" role="alert">{{ trouble }}</span>
    </label>`,
  data() {
    return { now: this.value };
  },
  computed: {
    said() {
      return `${show(this.now)} ${this.unit}`.trim();
    },
  },
  methods: {
    move(event) {
      this.now = Number(event.target.value);
      this.$emit("turn", this.now);
    },
  },
};
