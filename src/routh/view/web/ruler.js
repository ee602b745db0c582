/** What lies behind the picture: a grid with numbers and a scale bar in the plane, the three axes in space. */

import { show } from "./run.js";

/** The next of 1, 2, 5, 10, ... times a power of ten. */
export function round(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((k) => k * power).find((k) => k >= x * 0.999999);
}

export class Ruler {
  constructor(host) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "ruler";
    host.append(this.canvas);
  }

  /** A clean sheet of this size. */
  begin(width, height) {
    const scale = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    return pen;
  }

  /** Grid and scale bar for a view of the plane from its front; (left, right, bottom, top) are the edges in metres. */
  grid([left, right, bottom, top], width, height, theme) {
    const pen = this.begin(width, height);
    const step = round((right - left) / (width / 90));
    const x = (v) => ((v - left) / (right - left)) * width;
    const y = (v) => height - ((v - bottom) / (top - bottom)) * height;
    pen.lineWidth = 1;
    for (let k = Math.ceil(left / step); k * step < right; k++) {
      pen.strokeStyle = k === 0 ? theme.axis : theme.grid;
      line(pen, x(k * step), 0, x(k * step), height);
    }
    for (let k = Math.ceil(bottom / step); k * step < top; k++) {
      pen.strokeStyle = k === 0 ? theme.axis : theme.grid;
      line(pen, 0, y(k * step), width, y(k * step));
    }
    pen.fillStyle = theme.text;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (let k = Math.ceil(left / step); k * step < right; k++) {
      const at = x(k * step);
      if (at > 40 && at < width - 130) pen.fillText(show(k * step), at, 5);
    }
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    for (let k = Math.ceil(bottom / step); k * step < top; k++) {
      const at = y(k * step);
      if (at > 22 && at < height - 10) pen.fillText(show(k * step), 5, at);
    }
    const bar = (step / (right - left)) * width;
    const end = width - 14;
    pen.strokeStyle = pen.fillStyle = theme.strong;
    pen.lineWidth = 2;
    for (const [x1, y1, x2, y2] of [[end - bar, 24, end, 24], [end - bar, 20, end - bar, 28], [end, 20, end, 28]])
      line(pen, x1, y1, x2, y2);
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    pen.fillText(`${show(step)} m`, end - 0.5 * bar, 19);
  }

  /** The axes of the world in the corner; `ways` are their directions on the screen, y up. */
  axes(ways, width, height, theme) {
    const pen = this.begin(width, height);
    const [x, y, long] = [44, height - 44, 28];
    pen.lineWidth = 2;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    ways.forEach(([dx, dy], k) => {
      pen.strokeStyle = pen.fillStyle = theme.axes[k];
      line(pen, x, y, x + long * dx, y - long * dy);
      pen.fillText("xyz"[k], x + (long + 9) * dx, y - (long + 9) * dy);
    });
  }

  /** Nothing. */
  clear(width, height) {
    this.begin(width, height);
  }
}

function line(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}
