/* A chart in its frame: title, controls, canvas, tooltip, caption — and one way to look around in it for
 * mouse and keyboard. What is drawn comes from the caller. */

const charts = new Set();

class Plot {
    /* options: title, about, xs (ascending), step (half of it is left free at both ends), xLabel, yLabel,
     * level() in ms or null, yRange(lo, hi), draw(chart, plot), optional arrange(plot)
     * before these two, captionText(plot) after yRange, describe(index) → {title, rows, note}, optional changed(plot)
     * after the user zoomed or selected a bar. */
    constructor(options) {
        this.options = options;
        this.count = options.xs.length;
        this.lo = 0;
        this.hi = this.count - 1;
        this.at = null;
        this.selected = null;
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
        this.chart = new Chart(this.host, {
            height: options.height || 320,
            axes: [
                { side: 'bottom', size: 34, space: 60, whole: options.step === 1, title: () => options.xLabel, label: options.xName },
                { side: 'left', size: 48, title: () => options.yLabel },
                levelAxis('right', options.level),
            ],
            draw: (chart) => this.draw(chart),
            pointer: (x) => this.hover(x === null ? null : this.nearest(x)),
            select: (from, to) => this.zoom(this.nearest(from), this.nearest(to)),
            click: (x) => this.move(this.nearest(x)),
            reset: () => this.zoom(0, this.count - 1),
        });
        this.chart.area.append(this.tip);
        charts.add(this);
        this.changed();
    }

    /* The width of the plot itself, without its axes. */
    width() {
        return this.chart.box.width;
    }

    resize() {
        if (this.chart.resize()) {
            this.changed();
        }
    }

    redraw() {
        this.chart.redraw();
    }

    x(index) {
        return this.options.xs[index];
    }

    pad() {
        const few = (this.x(this.hi) - this.x(this.lo)) * 0.01;
        return Math.max(this.options.step / 2, this.options.step < 1 ? few : 0, 1e-9);
    }

    draw(chart) {
        const level = this.options.level();
        this.options.draw(chart, this);
        if (level !== null && level <= chart.yRange[1]) {
            chart.drawLevel(level, 'right');
        }
    }

    /* After a change of the data, the visible range or the width. */
    changed() {
        const { options } = this;
        if (options.arrange) {
            options.arrange(this);
        }
        this.chart.setRanges([this.x(this.lo) - this.pad(), this.x(this.hi) + this.pad()], options.yRange(this.lo, this.hi));
        this.caption.textContent = options.captionText(this);
        this.hover(this.at === null || this.at < this.lo || this.at > this.hi ? null : this.at);
    }

    zoom(lo, hi) {
        this.lo = Math.max(0, Math.min(Math.round(lo), this.count - 1));
        this.hi = Math.max(this.lo, Math.min(Math.round(hi), this.count - 1));
        this.changed();
        this.report();
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
        this.selected = at;
        this.report();
        const described = this.hover(at);
        if (described) {
            this.live.textContent =
                `${described.title}: ${described.rows.map((row) => `${row.name} ${row.value}`).join(', ')}`;
        }
    }

    /* Tells the owner of the chart that the visible range or the selected bar changed. */
    report() {
        if (this.options.changed) {
            this.options.changed(this);
        }
    }

    /* Shows the values at an index next to the pointer; null hides them. */
    hover(index) {
        this.at = index;
        this.host.dataset.at = index === null ? '' : String(index + 1);
        const described = index === null ? null : this.options.describe(index, this);
        this.tip.hidden = described === null;
        if (described === null) {
            return null;
        }
        this.tip.replaceChildren(el('strong', {}, described.title),
            el('table', {}, ...described.rows.map((row) => el('tr', { class: row.strong ? 'sum' : null },
                el('td', {}, row.color ? swatch(row.color, row.hatched) : ''), el('th', { scope: 'row' }, row.name),
                el('td', {}, row.value)))),
            ...(described.note ? [el('p', {}, described.note)] : []));
        const left = this.chart.x(this.x(index)) - this.chart.box.left;
        const right = left + 14 + this.tip.offsetWidth < this.width();
        this.tip.style.left = `${right ? left + 14 : Math.max(-40, left - 14 - this.tip.offsetWidth)}px`;
        this.tip.style.top = '4px';
        return described;
    }
}

addEventListener('resize', () => charts.forEach((chart) => chart.resize()));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
    () => charts.forEach((chart) => chart.redraw()));
