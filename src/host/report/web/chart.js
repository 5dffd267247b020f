/* A canvas with two scales and their axes. The caller draws the data and decides what the pointer does.
 * All coordinates are CSS pixels; a chart is painted at most once per animation frame. */

const FONT = 'system-ui, sans-serif';
const TITLE_SIZE = 22;
const DRAG_LEAST_PX = 4; /* a shorter drag is a click */

class Chart {
    /* options: height, axes, draw(chart); for a chart that can be zoomed also select(from, to), click(x) and reset();
     * pointer(x, or null when it leaves). An axis: side, size in pixels without its title; optional title(), space between two marks,
     * whole (no fractions), ticks(step), label(value), color, bold, grid (false: neither grid lines nor marks). */
    constructor(host, options) {
        this.host = host;
        this.options = options;
        this.xRange = [0, 1];
        this.yRange = [0, 1];
        this.log = false; /* the y scale; yRange is above 0 then */
        this.canvas = el('canvas', {});
        this.ctx = this.canvas.getContext('2d');
        this.selection = el('div', { class: 'selection', hidden: true });
        this.area = el('div', {
            class: 'area',
            onmousemove: (event) => options.pointer(this.valueAt(this.pointerLeft(event))),
            onmouseleave: () => options.pointer(null),
            onmousedown: (event) => this.press(event),
            ondblclick: () => options.reset && options.reset(),
        }, this.selection);
        host.append(this.canvas, this.area);
        this.resize();
    }

    margin(side, without) {
        return this.options.axes.filter((axis) => axis.side === side)
            .reduce((sum, axis) => sum + axis.size + (axis.title ? TITLE_SIZE : 0), 0) || without;
    }

    /* Follows the width of its host; returns whether anything changed. */
    resize() {
        const width = Math.max(280, this.host.clientWidth);
        if (width === this.width && devicePixelRatio === this.ratio) {
            return false;
        }
        const { height } = this.options;
        const left = this.margin('left', 18);
        const top = this.margin('top', 14);
        this.width = width;
        this.ratio = devicePixelRatio;
        this.box = { left, top, width: width - left - this.margin('right', 18), height: height - top - this.margin('bottom', 14) };
        this.canvas.width = Math.round(width * this.ratio);
        this.canvas.height = Math.round(height * this.ratio);
        Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
        Object.entries(this.box).forEach(([name, value]) => { this.area.style[name] = `${value}px`; });
        this.redraw();
        return true;
    }

    setRanges(x, y) {
        this.xRange = x;
        this.yRange = y;
        this.redraw();
    }

    x(value) {
        const [min, max] = this.xRange;
        return this.box.left + ((value - min) / (max - min)) * this.box.width;
    }

    y(value) {
        const [min, max] = this.yRange;
        const part = this.log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
        return this.box.top + (1 - part) * this.box.height;
    }

    /* The x of a place that is `left` pixels from the left edge of the plot. */
    valueAt(left) {
        const [min, max] = this.xRange;
        return min + (left / this.box.width) * (max - min);
    }

    pointerLeft(event) {
        return Math.max(0, Math.min(event.clientX - this.area.getBoundingClientRect().left, this.box.width));
    }

    /* A drag marks a range; the release reports it. */
    press(event) {
        if (event.button !== 0 || !this.options.select) {
            return;
        }
        const from = this.pointerLeft(event);
        const range = (now) => [from, this.pointerLeft(now)].sort((a, b) => a - b);
        const drag = (now) => {
            const [left, right] = range(now);
            this.selection.hidden = right - left < DRAG_LEAST_PX;
            Object.assign(this.selection.style, { left: `${left}px`, width: `${right - left}px` });
        };
        const release = (now) => {
            const [left, right] = range(now);
            document.removeEventListener('mousemove', drag);
            document.removeEventListener('mouseup', release);
            this.selection.hidden = true;
            if (right - left >= DRAG_LEAST_PX) {
                this.options.select(this.valueAt(left), this.valueAt(right));
            } else if (this.options.click) {
                this.options.click(this.valueAt(left));
            }
        };
        document.addEventListener('mousemove', drag);
        document.addEventListener('mouseup', release);
    }

    redraw() {
        if (!this.waiting) {
            this.waiting = true;
            requestAnimationFrame(() => {
                this.waiting = false;
                this.paint();
            });
        }
    }

    paint() {
        const { ctx } = this;
        ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        ctx.clearRect(0, 0, this.width, this.options.height);
        const marked = this.options.axes.map((axis) => ({ axis, marks: this.marks(axis) }));
        marked.filter(({ axis }) => axis.grid !== false).forEach(({ axis, marks }) => this.drawGrid(axis, marks));
        marked.forEach(({ axis, marks }) => this.drawAxis(axis, marks));
        ctx.save();
        this.options.draw(this);
        ctx.restore();
    }

    isAcross(axis) {
        return axis.side === 'top' || axis.side === 'bottom';
    }

    /* The values that an axis shows, each with its place and text. */
    marks(axis) {
        const across = this.isAcross(axis);
        const [min, max] = across ? this.xRange : this.yRange;
        const pixels = across ? this.box.width : this.box.height;
        const space = axis.space || 30;
        const step = Math.max(niceStep(((max - min) * space) / pixels), axis.whole ? 1 : 0);
        const all = axis.ticks ? axis.ticks(step)
            : this.log && !across ? logTicks(min, max, pixels, space) : linearTicks(min, max, step);
        const text = axis.label || ((value) => value.toLocaleString('en', { maximumFractionDigits: 9 }));
        return all.filter((value) => value >= min && value <= max && (!axis.whole || Number.isInteger(value)))
            .map((value) => ({ at: across ? this.x(value) : this.y(value), text: text(value) }));
    }

    drawGrid(axis, marks) {
        const { ctx, box } = this;
        const across = this.isAcross(axis);
        ctx.strokeStyle = cssColor('--grid');
        ctx.lineWidth = 1;
        ctx.beginPath();
        marks.forEach(({ at }) => {
            const place = Math.round(at) + 0.5;
            ctx.moveTo(across ? place : box.left - 5, across ? box.top : place);
            ctx.lineTo(across ? place : box.left + box.width, across ? box.top + box.height + 5 : place);
        });
        ctx.stroke();
    }

    drawAxis(axis, marks) {
        const { ctx, box } = this;
        const [align, baseline, dx, dy] = {
            left: ['right', 'middle', -10, 0], right: ['left', 'middle', 4, 0],
            top: ['center', 'bottom', 0, -6], bottom: ['center', 'top', 0, 10],
        }[axis.side];
        const edge = { left: box.left, right: box.left + box.width, top: box.top, bottom: box.top + box.height }[axis.side];
        ctx.font = `${axis.bold ? 'bold ' : ''}12px ${FONT}`;
        ctx.fillStyle = cssColor(axis.color || '--muted');
        ctx.textAlign = align;
        ctx.textBaseline = baseline;
        marks.forEach(({ at, text }) => (this.isAcross(axis)
            ? ctx.fillText(text, at + dx, edge + dy) : ctx.fillText(text, edge + dx, at + dy)));
        if (axis.title) {
            this.drawTitle(axis);
        }
    }

    drawTitle(axis) {
        const { ctx, box } = this;
        ctx.save();
        ctx.font = `13px ${FONT}`;
        ctx.textAlign = 'center';
        ctx.textBaseline = 'middle';
        if (this.isAcross(axis)) {
            ctx.translate(box.left + box.width / 2, this.options.height - TITLE_SIZE / 2);
        } else {
            ctx.translate(TITLE_SIZE / 2, box.top + box.height / 2);
            ctx.rotate(-Math.PI / 2);
        }
        ctx.fillText(axis.title(), 0, 0);
        ctx.restore();
    }

    /* Keeps what is drawn from here on inside the plot, until the painting ends. */
    clip() {
        const { left, top, width, height } = this.box;
        this.ctx.beginPath();
        this.ctx.rect(left, top, width, height);
        this.ctx.clip();
    }

    /* A dashed line over the whole plot. Its value is on an axis of its own, where no bar can cover it. */
    drawLevel(value, side) {
        const { ctx, box } = this;
        ctx.save();
        ctx.strokeStyle = cssColor('--deadline');
        ctx.lineWidth = 2;
        ctx.setLineDash([7, 4]);
        ctx.beginPath();
        if (side === 'top') {
            const at = Math.round(this.x(value)) + 0.5;
            ctx.moveTo(at, box.top);
            ctx.lineTo(at, box.top + box.height);
        } else {
            const at = Math.round(this.y(value)) + 0.5;
            ctx.moveTo(box.left, at);
            ctx.lineTo(box.left + box.width, at);
        }
        ctx.stroke();
        ctx.restore();
    }
}

/* An axis with one mark: the value of a level. */
function levelAxis(side, level) {
    return {
        side,
        size: side === 'top' ? 24 : 66,
        color: '--deadline',
        bold: true,
        grid: false,
        ticks: () => (level() === null ? [] : [level()]),
        label: (value) => `${value.toFixed(value < 1 ? 1 : 2)} ms`,
    };
}
