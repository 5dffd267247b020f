/* How the frame times are spread, with the deadline. */

const HISTOGRAM_INTERVALS = 4; /* all frames of more than four frame intervals share one bar */
const FINE_FRAMES = 300;       /* with more frames than this, bins are half as wide */

/* Bins of equal width, the deadline on an edge; a bin holds times above `from`, up to and with `to`. */
function exactBins(times, interval) {
    const width = interval / (times.length > FINE_FRAMES ? 16 : 8);
    const end = interval * HISTOGRAM_INTERVALS;
    const count = Math.round(end / width);
    const bins = Array.from({ length: count }, (unused, i) => ({ from: i * width, to: (i + 1) * width, count: 0 }));
    const beyond = { from: end, to: null, count: 0 };
    for (const time of times) {
        (time > end ? beyond : bins[Math.max(0, Math.ceil(time / width) - 1)]).count++;
    }
    return trimmed(bins, beyond, interval);
}

/* hwui's own buckets; those that end beyond the chart become one. */
function hwuiBins(rows, interval) {
    const end = interval * HISTOGRAM_INTERVALS;
    const bins = [];
    const beyond = { from: null, to: null, count: 0 };
    for (const [from, to, count] of rows) {
        if (to !== null && to <= end) {
            bins.push({ from, to, count });
        } else {
            beyond.from = beyond.from === null ? from : beyond.from;
            beyond.count += count;
        }
    }
    beyond.from = beyond.from === null ? end : beyond.from;
    return trimmed(bins, beyond, interval);
}

/* Nothing is drawn for empty space past the slowest frame, but a quarter interval after the deadline always is. */
function trimmed(bins, beyond, interval) {
    let last = bins.length - 1;
    while (last > 0 && beyond.count === 0 && bins[last].count === 0 && bins[last].from >= interval * 1.25) {
        last--;
    }
    return { bins: bins.slice(0, last + 1), beyond: beyond.count > 0 ? beyond : null };
}

class Histogram {
    /* Uses view.frames.time_ns and view.hwui.histogram, as far as they are present. */
    constructor(view) {
        this.interval = view.interval_ns / 1e6;
        this.sources = [];
        const times = view.frames.time_ns.map((time) => time / 1e6);
        if (times.length > 0) {
            this.sources.push({
                value: 'exact', text: `exact: the ${plural(times.length, 'frame')} with rows`, total: times.length,
                ...exactBins(times, this.interval),
                how: 'Bins of equal width; each holds its upper edge, so that a frame of exactly one interval is in time.',
            });
        }
        if (view.hwui && view.hwui.histogram.length > 0) {
            const total = view.hwui.histogram.reduce((sum, row) => sum + row[2], 0);
            this.sources.push({
                value: 'hwui', text: `hwui's buckets: all ${plural(total, 'frame')} counted`, total,
                ...hwuiBins(view.hwui.histogram, this.interval),
                how: 'As hwui counts: whole milliseconds rounded down, 6 ms wide at first, then 1, 2 and 4 ms. The bucket around the deadline is grey: hwui does not report how many of its frames were late.',
            });
        }
        this.source = this.sources[0];
        this.log = false;
        this.at = null;
        this.controls = el('div', { class: 'controls' });
        this.legend = el('div', { class: 'legend' },
            el('span', { class: 'key' }, swatch('var(--good)'), 'within the deadline'),
            el('span', { class: 'key' }, swatch('var(--bad)'), 'over it'));
        this.tip = el('div', { class: 'tip', hidden: true });
        this.live = el('div', { class: 'unseen', 'aria-live': 'polite' });
        this.caption = el('figcaption', {});
        this.host = el('div', {
            class: 'plot', tabindex: '0', role: 'group',
            'aria-label': 'Histogram of frame times. Arrow keys move from bar to bar.',
            onkeydown: (event) => this.key(event), onblur: () => this.hover(null),
        });
        if (this.sources.length > 1) {
            this.controls.append(select('Frames', this.sources, this.source.value, (value) => {
                this.source = this.sources.find((source) => source.value === value);
                this.changed();
            }));
        }
        this.controls.append(checkbox('Logarithmic counts', false, (on) => {
            this.log = on;
            this.changed();
        }));
        this.node = el('figure', { class: 'chart' }, el('h2', {}, 'Frame times'),
            el('p', { class: 'about' }, 'Frame time is hwui\'s duration(): from IntendedVsync to FrameCompleted without the wait for the display.'),
            el('div', { class: 'bar' }, this.controls), this.legend, this.host, this.caption, this.live);
    }

    bars() {
        const { bins, beyond } = this.source;
        const end = bins[bins.length - 1].to;
        return beyond === null ? bins
            : [...bins, { ...beyond, drawFrom: end + this.interval * 0.15, drawTo: end + this.interval * 0.5 }];
    }

    right() {
        const { bins, beyond } = this.source;
        return bins[bins.length - 1].to + (beyond === null ? 0 : this.interval * 0.55);
    }

    name(bar) {
        return bar.to === null ? `over ${bar.from.toFixed(1)} ms` : `${bar.from.toFixed(2)}–${bar.to.toFixed(2)} ms`;
    }

    mount() {
        this.chart = new Chart(this.host, {
            height: 380,
            axes: [
                { side: 'bottom', size: 34, space: 44, grid: false, title: () => 'Frame time (ms)',
                    ticks: (step) => this.ticks(step), label: (value) => this.tickText(value) },
                { side: 'left', size: 52, whole: true, title: () => (this.log ? 'Frames (logarithmic)' : 'Frames') },
                levelAxis('top', () => this.interval),
            ],
            draw: (chart) => this.draw(chart),
            pointer: (x) => this.pointer(x),
        });
        this.chart.area.append(this.tip);
        charts.add(this);
        this.changed();
    }

    resize() {
        this.chart.resize();
    }

    redraw() {
        this.chart.redraw();
    }

    /* After a change of the source or of the scale. */
    changed() {
        const { beyond } = this.source;
        const most = Math.max(...this.bars().map((bar) => bar.count), 1);
        this.hover(null);
        this.chart.log = this.log;
        this.chart.setRanges([0, this.right()], this.log ? [0.5, most * 1.5] : [0, most * 1.06]);
        this.caption.textContent = this.source.how +
            (beyond === null ? '' : ` The bar at the right edge holds all ${plural(beyond.count, 'frame')} over ${beyond.from.toFixed(1)} ms.`);
    }

    /* Where the last bin ends. What is beyond it has one mark, in the middle of its bar. */
    split() {
        return this.source.bins[this.source.bins.length - 1].to;
    }

    tickText(value) {
        return value > this.split() ? `> ${this.source.beyond.from.toFixed(0)}` : `${value}`;
    }

    ticks(step) {
        if (this.source.beyond === null) {
            return linearTicks(0, this.right(), step);
        }
        return [...linearTicks(0, this.split() - step * 0.3, step), this.split() + this.interval * 0.325];
    }

    color(bar) {
        if (bar.to !== null && bar.to <= this.interval + 1e-9) {
            return '--good';
        }
        return bar.from >= this.interval - 1e-9 ? '--bad' : '--muted';
    }

    draw(chart) {
        const context = chart.ctx;
        this.bars().forEach((bar, i) => {
            if (bar.count === 0) {
                return;
            }
            const left = chart.x(bar.drawFrom === undefined ? bar.from : bar.drawFrom);
            const right = chart.x(bar.drawTo === undefined ? bar.to : bar.drawTo);
            const bottom = chart.box.top + chart.box.height;
            const least = 2; /* a single frame among thousands must be seen */
            const top = Math.min(chart.y(bar.count), bottom - least);
            const gap = Math.min(2, (right - left) * 0.15);
            context.fillStyle = cssColor(this.color(bar));
            context.globalAlpha = this.at === null || this.at === i ? 1 : 0.55;
            context.fillRect(left + gap / 2, top, right - left - gap, bottom - top);
            context.globalAlpha = 1;
        });
        chart.drawLevel(this.interval, 'top');
    }

    pointer(x) {
        const bars = this.bars();
        const at = x === null ? -1 : bars.findIndex((bar) => x <= (bar.drawTo === undefined ? bar.to : bar.drawTo));
        this.hover(at < 0 ? null : at);
    }

    key(event) {
        const filled = this.bars().map((bar, i) => i).filter((i) => this.bars()[i].count > 0);
        const next = {
            ArrowRight: () => filled.find((i) => this.at === null || i > this.at),
            ArrowLeft: () => filled.filter((i) => this.at === null || i < this.at).pop(),
            Home: () => filled[0],
            End: () => filled[filled.length - 1],
            Escape: () => null,
        }[event.key];
        if (next) {
            event.preventDefault();
            const at = next();
            if (at !== undefined) {
                this.hover(at);
                this.live.textContent = this.tip.textContent;
            }
        }
    }

    hover(at) {
        if (at === this.at) {
            return;
        }
        this.at = at;
        this.tip.hidden = at === null;
        if (at !== null) {
            const bars = this.bars();
            const bar = bars[at];
            const slower = bars.slice(at).reduce((sum, other) => sum + other.count, 0);
            this.tip.replaceChildren(el('strong', {}, this.name(bar)), el('table', {},
                el('tr', {}, el('th', { scope: 'row' }, plural(bar.count, 'frame')), el('td', {}, percent(bar.count, this.source.total))),
                el('tr', {}, el('th', { scope: 'row' }, 'as slow or slower'), el('td', {}, percent(slower, this.source.total)))));
            const left = this.chart.x(bar.drawFrom === undefined ? bar.from : bar.drawFrom) - this.chart.box.left;
            const right = left + 24 + this.tip.offsetWidth < this.chart.box.width;
            this.tip.style.left = `${right ? left + 24 : Math.max(-40, left - 12 - this.tip.offsetWidth)}px`;
            this.tip.style.top = '4px';
        }
        this.redraw();
    }
}
