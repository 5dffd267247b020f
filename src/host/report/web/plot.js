/* A chart in its frame: title, controls, canvas, tooltip, caption — and one way to look around in it for
 * mouse and keyboard. What is drawn comes from the caller. */

const charts = new Set();

/* A dashed line over the whole plot; its label stands on an axis of its own, where no bar can cover it. */
function drawLevel(u, value, scale, color) {
    const context = u.ctx;
    const box = u.bbox;
    const at = Math.round(u.valToPos(value, scale, true)) + 0.5;
    context.save();
    context.strokeStyle = color;
    context.lineWidth = 2 * devicePixelRatio;
    context.setLineDash([7 * devicePixelRatio, 4 * devicePixelRatio]);
    context.beginPath();
    if (scale === 'x') {
        context.moveTo(at, box.top);
        context.lineTo(at, box.top + box.height);
    } else {
        context.moveTo(box.left, at);
        context.lineTo(box.left + box.width, at);
    }
    context.stroke();
    context.restore();
}

/* The marks of an axis look alike in every chart. */
function axis(extra) {
    return {
        stroke: () => cssColor('--muted'),
        font: '12px system-ui, sans-serif',
        labelFont: '13px system-ui, sans-serif',
        labelSize: 22,
        labelGap: 2,
        grid: { stroke: () => cssColor('--grid'), width: 1 },
        ticks: { stroke: () => cssColor('--grid'), width: 1, size: 5 },
        ...extra,
    };
}

/* An axis with one mark: a level's value. */
function levelAxis(side, scale, level) {
    return axis({
        side,
        scale,
        size: side === 0 ? 24 : 66,
        stroke: () => cssColor('--deadline'),
        font: 'bold 12px system-ui, sans-serif',
        grid: { show: false },
        ticks: { show: false },
        gap: 4,
        splits: () => (level() === null ? [] : [level()]),
        values: (u, splits) => splits.map((value) => `${value.toFixed(value < 1 ? 1 : 2)} ms`),
    });
}

class Plot {
    /* options: title, about, xs (ascending), step (half of it is left free at both ends), xLabel, yLabel,
     * level() in ms or null, yRange(lo, hi), draw(u, plot), series, data, describe(index) → {title, rows, note}. */
    constructor(options) {
        this.options = options;
        this.count = options.xs.length;
        this.lo = 0;
        this.hi = this.count - 1;
        this.at = null;
        this.controls = el('div', { class: 'controls' });
        this.legend = el('div', { class: 'legend' });
        this.tip = el('div', { class: 'tip', hidden: true });
        this.live = el('div', { class: 'unseen', 'aria-live': 'polite' });
        this.caption = el('figcaption', {});
        this.host = el('div', {
            class: 'plot',
            tabindex: '0',
            role: 'group',
            'aria-label': `${options.title}. Arrow keys move from bar to bar, plus and minus zoom, 0 shows all.`,
            onkeydown: (event) => this.key(event),
            onblur: () => this.hover(null),
        });
        const zoom = el('div', { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
            button('−', 'Zoom out', () => this.zoomBy(2)), button('+', 'Zoom in', () => this.zoomBy(0.5)),
            button('◂', 'Earlier', () => this.pan(-1)), button('▸', 'Later', () => this.pan(1)),
            button('All', 'Show all', () => this.zoom(0, this.count - 1)));
        this.node = el('figure', { class: 'chart' },
            el('h2', {}, options.title), el('p', { class: 'about' }, options.about),
            el('div', { class: 'bar' }, this.controls, zoom), this.legend,
            this.host, this.caption, this.live);
    }

    mount() {
        const { options } = this;
        this.u = new uPlot({
            width: Math.max(280, this.host.clientWidth),
            height: options.height || 320,
            legend: { show: false },
            scales: {
                x: { time: false, range: () => [this.x(this.lo) - this.pad(), this.x(this.hi) + this.pad()] },
                y: { range: () => options.yRange(this.lo, this.hi) },
            },
            axes: [
                axis({ label: options.xLabel, size: 34, space: 60, ...(options.xName ? { values: (u, splits) => splits.map(options.xName) } : {}) }),
                axis({ label: options.yLabel, size: 48, scale: 'y' }),
                levelAxis(1, 'y', options.level),
            ],
            series: [{}, ...(options.series || [{ paths: () => null, points: { show: false } }])],
            cursor: {
                y: false,
                points: { show: false },
                drag: { x: true, y: false, setScale: false, dist: 4 },
                bind: { dblclick: () => () => this.zoom(0, this.count - 1) },
            },
            hooks: {
                draw: [(u) => options.draw(u, this), (u) => this.drawLevel(u)],
                ready: [() => queueMicrotask(() => this.changed())], /* the room for bars is known from here on */
                setCursor: [(u) => this.pointer(u)],
                setSelect: [(u) => this.selected(u)],
            },
        }, options.data || [options.xs, options.xs.map(() => 0)], this.host);
        this.u.over.append(this.tip);
        charts.add(this);
    }

    /* Of the plot itself, without its axes. */
    width() {
        return this.u.bbox.width / devicePixelRatio;
    }

    resize() {
        const width = Math.max(280, this.host.clientWidth);
        if (width !== this.u.width) {
            this.u.setSize({ width, height: this.u.height });
            this.changed();
        }
    }

    x(index) {
        return this.options.xs[index];
    }

    pad() {
        const few = (this.x(this.hi) - this.x(this.lo)) * 0.01;
        return Math.max(this.options.step / 2, this.options.step < 1 ? few : 0, 1e-9);
    }

    drawLevel(u) {
        const level = this.options.level();
        if (level !== null && level <= u.scales.y.max) {
            drawLevel(u, level, 'y', cssColor('--deadline'));
        }
    }

    changed() {
        if (this.options.changed) {
            this.options.changed(this);
        }
        this.u.redraw(true, true);
    }

    redraw() {
        this.u.setData(this.options.data || this.u.data, false);
        this.zoom(this.lo, this.hi);
    }

    zoom(lo, hi) {
        this.lo = Math.max(0, Math.min(Math.round(lo), this.count - 1));
        this.hi = Math.max(this.lo, Math.min(Math.round(hi), this.count - 1));
        this.u.batch(() => {
            this.u.setScale('x', { min: this.x(this.lo), max: this.x(this.hi) });
            this.u.setScale('y', { min: 0, max: 1 });
        });
        this.changed();
    }

    zoomBy(factor) {
        const middle = this.at === null ? (this.lo + this.hi) / 2 : this.at;
        const half = Math.max(2, ((this.hi - this.lo) * factor) / 2);
        const lo = Math.max(0, Math.min(middle - half, this.count - 1 - 2 * half));
        this.zoom(lo, lo + 2 * half);
    }

    pan(direction) {
        const width = this.hi - this.lo;
        const by = direction * Math.max(1, Math.round(width / 2));
        const lo = Math.max(0, Math.min(this.lo + by, this.count - 1 - width));
        this.zoom(lo, lo + width);
    }

    selected(u) {
        if (u.select.width > 0) {
            const from = this.nearest(u.posToVal(u.select.left, 'x'));
            const to = this.nearest(u.posToVal(u.select.left + u.select.width, 'x'));
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            this.zoom(from, to);
        }
    }

    nearest(x) {
        const { xs } = this.options;
        let lo = 0;
        let hi = xs.length - 1;
        while (lo < hi) {
            const middle = (lo + hi) >> 1;
            if (xs[middle] < x) {
                lo = middle + 1;
            } else {
                hi = middle;
            }
        }
        return lo > 0 && x - xs[lo - 1] < xs[lo] - x ? lo - 1 : lo;
    }

    pointer(u) {
        if (!this.byKey) {
            this.hover(u.cursor.left < 0 ? null : this.nearest(u.posToVal(u.cursor.left, 'x')));
        }
    }

    key(event) {
        const step = this.options.stride ? this.options.stride() : 1;
        const here = this.at === null ? this.lo : this.at;
        const moves = {
            ArrowLeft: () => this.move(this.at === null ? this.lo : here - step),
            ArrowRight: () => this.move(this.at === null ? this.lo : here + step),
            Home: () => this.move(this.lo),
            End: () => this.move(this.hi),
            '+': () => this.zoomBy(0.5),
            '=': () => this.zoomBy(0.5),
            '-': () => this.zoomBy(2),
            0: () => this.zoom(0, this.count - 1),
            Escape: () => this.hover(null),
        };
        if (moves[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            moves[event.key]();
        }
    }

    move(index) {
        const at = Math.max(0, Math.min(index, this.count - 1));
        if (at < this.lo || at > this.hi) {
            this.pan(at < this.lo ? -1 : 1);
        }
        this.byKey = true;
        this.u.setCursor({ left: this.u.valToPos(this.x(at), 'x'), top: this.u.over.clientHeight / 2 });
        this.byKey = false;
        const told = this.hover(at);
        if (told) {
            this.live.textContent =
                `${told.title}: ${told.rows.map((row) => `${row.name} ${row.value}`).join(', ')}`;
        }
    }

    /* Shows what stands at an index beside the pointer; null hides it. */
    hover(index) {
        this.at = index;
        this.host.dataset.at = index === null ? '' : String(index + 1);
        const told = index === null ? null : this.options.describe(index, this);
        this.tip.hidden = told === null;
        if (told === null) {
            return null;
        }
        this.tip.replaceChildren(el('strong', {}, told.title),
            el('table', {}, ...told.rows.map((row) => el('tr', { class: row.strong ? 'sum' : null },
                el('td', {}, row.color ? swatch(row.color, row.hatched) : ''), el('th', { scope: 'row' }, row.name),
                el('td', {}, row.value)))),
            ...(told.note ? [el('p', {}, told.note)] : []));
        const over = this.u.over;
        const left = this.u.valToPos(this.x(index), 'x');
        const right = left + 14 + this.tip.offsetWidth < over.clientWidth;
        this.tip.style.left = `${right ? left + 14 : Math.max(-40, left - 14 - this.tip.offsetWidth)}px`;
        this.tip.style.top = '4px';
        return told;
    }
}

addEventListener('resize', () => charts.forEach((chart) => chart.resize()));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
    () => charts.forEach((chart) => chart.u.redraw(false, true)));
