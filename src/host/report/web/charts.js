/* Draws the chart descriptions of a document as SVG. The style sheet colours everything, so a chart follows the colour scheme. */

const SVG_SPACE = 'http://www.w3.org/2000/svg';
const CHART_HEIGHT = 260;
const MARGIN = { left: 64, right: 16, top: 18, bottom: 46 };
const ROW = 28; /* Height of a row of spans. */
const ROW_NAMES = 150;
const DOT = 4;
const LABEL_PX = 7; /* Width of a character of a label, about. */

function svgElement(tag, attributes, ...children) {
    const node = document.createElementNS(SVG_SPACE, tag);
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...children);
    return node;
}

function numberText(value) {
    return Number(value.toPrecision(4)).toString();
}

function withUnitOf(axis, value) {
    return axis.unit ? `${numberText(value)} ${axis.unit}` : numberText(value);
}

function axisTitle(axis) {
    return axis.unit && axis.label ? `${axis.label} (${axis.unit})` : axis.label;
}

class SvgChart {
    /* zoomed(range) is called after a person zoomed; range is null if the whole chart is shown. */
    constructor(figure, chart, zoomed) {
        this.figure = figure;
        this.chart = chart;
        this.points = chart.series.flatMap((series) => series.points.map(([x, y, xEnd, low, high, label, target]) => (
            { series, x, y, xEnd, low, high, label, target })));
        this.at = -1;
        const isWhole = this.points.every(({ x }) => Number.isInteger(x)) && !this.points.some(({ xEnd }) => xEnd !== null);
        this.zoom = new ChartZoom({ first: chart.x.first, last: chart.x.last }, isWhole ? 2 : 0, (isChosen) => {
            this.show(-1);
            this.draw(true);
            if (isChosen) {
                zoomed(this.zoom.isWhole() ? null : this.zoom.range);
            }
        });
        this.live = el('p', { class: 'unseen', 'aria-live': 'polite' });
        this.tip = el('div', { class: 'tip', hidden: true });
        this.host = el('div', {
            class: 'drawing', tabindex: '0', role: 'img', 'aria-label': this.summary(),
            onmousemove: (event) => this.showNearest(event),
            onmouseleave: () => this.show(-1),
            onmousedown: (event) => this.drag(event),
            onclick: () => this.zoom.wasDragged || this.follow(),
            ondblclick: () => this.zoom.showAll(),
            onkeydown: (event) => this.press(event),
        });
        this.rows = chart.series.length > 0 && chart.series[0].mark === 'span';
        this.named = chart.rows !== undefined; /* Spans show their labels, and rows have no names. */
        this.margin = this.rows ? { ...MARGIN, left: this.named ? MARGIN.right : ROW_NAMES } : MARGIN;
        this.height = this.rows ? (this.named ? chart.rows : chart.ticks.length) * ROW + MARGIN.top + MARGIN.bottom : CHART_HEIGHT;
        figure.append(el('figcaption', { class: 'caption' }, el('span', {}, chart.title || axisTitle(chart.y)), this.points.length >= ZOOM_LEAST_POINTS ? this.zoom.node : ''), this.legend(), this.host, this.tip, this.live);
        this.draw();
        new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.host);
    }

    summary() {
        const { chart } = this;
        return `${chart.title || 'Chart'}: ${axisTitle(chart.y)} by ${axisTitle(chart.x)}, ${plural(this.points.length, 'point')}. Arrow keys read the points, plus and minus zoom, 0 shows all.${this.points.some((point) => point.target) ? ' Enter opens the batch of a point.' : ''}`;
    }

    legend() {
        const { series, thresholds } = this.chart;
        const names = new Set();
        const keys = series.length > 1 ? series.map((one) => ({ role: one.role, name: one.name })) : [];
        keys.push(...thresholds.filter((one) => !names.has(one.label) && names.add(one.label)).map((one) => ({ role: one.role, name: one.label, line: true })));
        return keys.length === 0 ? '' : el('p', { class: 'legend' }, ...keys.map((key) => el('span', { class: 'key' },
            el('span', { class: `sample ${key.line ? 'line ' : ''}role-${key.role}`, 'aria-hidden': 'true' }), key.name)));
    }

    x(value) {
        const { first, last } = this.zoom.range;
        return this.margin.left + ((value - first) / (last - first)) * this.plotWidth;
    }

    /* The values of y to draw: those of the visible points, unless marks start at 0 or are in rows. */
    computeYRange() {
        const { x, y, series } = this.chart;
        if (this.zoom.isWhole() || series.some(({ mark }) => ['bar', 'stack', 'span'].includes(mark)) || x.first === x.last) {
            return y;
        }
        const seen = series.flatMap(({ mark, points }) => points.filter(([at], i) => this.zoom.has(at)
            || (mark !== 'point' && mark !== 'interval' && [points[i - 1], points[i + 1]].some((next) => next && this.zoom.has(next[0])))))
            .flatMap(([, value, , low, high]) => [value, low, high]).filter((value) => value !== null);
        const [low, high] = [Math.min(...seen), Math.max(...seen)];
        const space = high > low ? (high - low) * 0.05 : (y.last - y.first) * 0.05;
        return seen.length === 0 ? y : { first: low - space, last: high + space };
    }

    y(value) {
        const { first, last } = this.yRange;
        const within = Math.max(first, Math.min(last, value));
        return this.margin.top + ((last - within) / (last - first)) * this.plotHeight;
    }

    draw(isZoomed) {
        const width = Math.max(240, this.host.clientWidth);
        if (width === this.width && !isZoomed) {
            return;
        }
        this.width = width;
        this.yRange = this.computeYRange();
        this.bases = new Map();
        this.plotWidth = width - this.margin.left - this.margin.right;
        this.plotHeight = this.height - this.margin.top - this.margin.bottom;
        this.host.replaceChildren(svgElement('svg', { width, height: this.height, viewBox: `0 0 ${width} ${this.height}`, 'aria-hidden': 'true' },
            ...(this.rows ? this.rowNames() : this.yAxis()), ...this.xAxis(), this.plot(...this.chart.series.flatMap((series) => this.seriesMarks(series)), ...this.thresholds())));
    }

    /* Cuts off what is outside the plot, with some space for dots at its ends. */
    plot(...marks) {
        const id = `plot-${[...document.querySelectorAll('figure.chart')].indexOf(this.figure)}`;
        const area = svgElement('rect', { x: this.margin.left - DOT - 1, y: 0, width: this.plotWidth + 2 * DOT + 2, height: this.height });
        return svgElement('g', { 'clip-path': `url(#${id})` }, svgElement('clipPath', { id }, area), ...marks);
    }

    yAxis() {
        const { first, last } = this.yRange;
        const step = niceStep((last - first) / Math.max(2, this.plotHeight / 40));
        return [...linearTicks(first, last, step).flatMap((value) => [
            svgElement('line', { class: 'gridline', x1: this.margin.left, x2: this.width - this.margin.right, y1: this.y(value), y2: this.y(value) }),
            svgElement('text', { class: 'tick', x: this.margin.left - 8, y: this.y(value) + 4, 'text-anchor': 'end' }, numberText(value)),
        ]), svgElement('text', { class: 'tick', x: 2, y: 11 }, axisTitle(this.chart.y))];
    }

    rowY(row) {
        return this.margin.top + row * ROW;
    }

    rowNames() {
        const most = Math.floor((ROW_NAMES - 12) / LABEL_PX);
        return this.chart.ticks.map((tick) => svgElement('text', { class: 'tick', x: this.margin.left - 8, y: this.rowY(tick.at) + ROW / 2 + 4, 'text-anchor': 'end' },
            tick.label.length > most ? `${tick.label.slice(0, most - 1)}…` : tick.label));
    }

    /* Named marks are left out where they would overlap. */
    namedTicks() {
        let free = -Infinity;
        return this.chart.ticks.filter(({ at }) => this.zoom.has(at)).filter((tick) => {
            const { left, right } = this.labelPlace(tick);
            const fits = left >= free;
            free = fits ? right + LABEL_PX : free;
            return fits;
        });
    }

    /* Keeps the label of a tick inside the chart. */
    labelPlace({ at, label }) {
        const width = label.length * LABEL_PX;
        const x = this.x(at);
        const anchor = x + width / 2 > this.width ? 'end' : x - width / 2 < 0 ? 'start' : 'middle';
        const left = x - { start: 0, middle: width / 2, end: width }[anchor];
        return { anchor, left, right: left + width };
    }

    xAxis() {
        const { first, last } = this.zoom.range;
        const whole = this.chart.series.every(({ mark, points }) => mark === 'point' && points.every(([x]) => Number.isInteger(x)));
        const step = Math.max(whole ? 1 : 0, niceStep((last - first) / Math.max(2, this.plotWidth / 80)));
        const ticks = this.chart.ticks.length > 0 && !this.rows ? this.namedTicks()
            : linearTicks(first, last, step).map((at) => ({ at, label: numberText(at) }));
        const y = this.margin.top + this.plotHeight;
        return [...ticks.map((tick) => svgElement('text', { class: 'tick', x: this.x(tick.at), y: y + 18, 'text-anchor': this.labelPlace(tick).anchor }, tick.label)),
            svgElement('text', { class: 'tick', x: this.margin.left + this.plotWidth / 2, y: y + 38, 'text-anchor': 'middle' }, axisTitle(this.chart.x))];
    }

    thresholds() {
        return this.chart.thresholds.filter((one) => !one.vertical || this.zoom.has(one.at)).map((one) => svgElement('line', one.vertical
            ? { class: `threshold role-${one.role}`, x1: this.x(one.at), x2: this.x(one.at), y1: one.row === null ? this.margin.top : this.rowY(one.row), y2: one.row === null ? this.margin.top + this.plotHeight : this.rowY(one.row + 1) }
            : { class: `threshold role-${one.role}`, x1: this.margin.left, x2: this.width - this.margin.right, y1: this.y(one.at), y2: this.y(one.at) }));
    }

    seriesMarks(series) {
        const name = `role-${series.role}`;
        const makers = {
            bar: () => series.points.map(([x, y, xEnd]) => this.bar(name, x, xEnd, y)),
            line: () => [svgElement('path', { class: `line ${name}`, d: this.path(series.points, false) })],
            step: () => [svgElement('path', { class: `line ${name}`, d: this.path(series.points, true) })],
            point: () => series.points.map(([x, y]) => this.dot(name, x, y)),
            stack: () => series.points.map(([x, y]) => this.stacked(name, series, x, y)),
            span: () => series.points.flatMap(([x, row, xEnd, , , label]) => this.span(name, x, xEnd, row, label)),
            interval: () => series.points.flatMap(([x, y, , low, high]) => [...this.whisker(name, x, low, high), this.dot(name, x, y)]),
        };
        return makers[series.mark]();
    }

    bar(name, x, xEnd, y) {
        const left = this.x(x);
        const right = xEnd === null ? this.width - this.margin.right : this.x(xEnd);
        const top = Math.min(this.y(y), this.y(0) - (y > 0 ? 1.5 : 0));
        return svgElement('rect', { class: `bar ${name}`, x: left + 0.5, width: Math.max(1, right - left - 1), y: top, height: Math.max(0, this.y(0) - top) });
    }

    span(name, x, xEnd, row, label) {
        const shape = { x: this.x(x), width: Math.max(1, this.x(xEnd) - this.x(x)), y: this.rowY(row) + 3, height: ROW - 6 };
        if (!this.named) {
            return [svgElement('rect', { class: `span ${name}`, ...shape })];
        }
        const left = Math.max(shape.x, this.margin.left);
        const most = Math.floor((Math.min(shape.x + shape.width, this.width - this.margin.right) - left - 8) / LABEL_PX);
        const text = label.length <= most ? label : `${label.slice(0, Math.max(0, most - 1))}…`;
        return [svgElement('rect', { class: `span named ${name}`, ...shape }),
            ...(most < 3 ? [] : [svgElement('text', { class: 'span-name', x: left + 4, y: this.rowY(row) + ROW / 2 + 4 }, text)])];
    }

    stacked(name, series, x, y) {
        const base = series === this.chart.series[0] ? 0 : this.bases.get(x) || 0;
        this.bases.set(x, base + y);
        return svgElement('rect', { class: `span ${name}`, x: this.x(x), width: Math.max(0.5, this.x(x + 1) - this.x(x)), y: this.y(base + y), height: Math.max(0, this.y(base) - this.y(base + y)) });
    }

    dot(name, x, y) {
        return svgElement('circle', { class: `dot ${name}`, cx: this.x(x), cy: this.y(y), r: DOT });
    }

    whisker(name, x, low, high) {
        return low === null || high === null ? []
            : [svgElement('line', { class: `whisker ${name}`, x1: this.x(x), x2: this.x(x), y1: this.y(low), y2: this.y(high) })];
    }

    path(points, stepped) {
        return points.map(([x, y], i) => {
            const across = stepped && i > 0 ? `H${this.x(x)}` : '';
            return `${i === 0 ? 'M' : `${across}L`}${this.x(x)} ${this.y(y)}`;
        }).join('');
    }

    pointY(point) {
        return this.rows ? this.rowY(point.y) + ROW / 2 : this.y(point.y);
    }

    middle(point) {
        return point.xEnd === null ? this.x(point.x) : (this.x(point.x) + this.x(point.xEnd)) / 2;
    }

    isVisible(point) {
        return this.zoom.has(point.x) || (point.xEnd !== null && point.x < this.zoom.range.last && point.xEnd > this.zoom.range.first);
    }

    showNearest(event) {
        const box = this.host.getBoundingClientRect();
        const distance = (point) => {
            const dx = this.middle(point) - (event.clientX - box.left);
            const dy = point.series.mark === 'bar' ? 0 : this.pointY(point) - (event.clientY - box.top);
            return Math.hypot(dx, dy / 2);
        };
        const best = this.points.reduce((found, point, i) => (!this.isVisible(point) ? found : found < 0 || distance(point) < distance(this.points[found]) ? i : found), -1);
        this.show(best);
    }

    describe(point) {
        const { x, y } = this.chart;
        if (this.rows) {
            return `${point.label || point.series.name}: ${withUnitOf(x, point.xEnd - point.x)}`;
        }
        const interval = point.low !== null && point.high !== null ? ` (${numberText(point.low)} … ${numberText(point.high)})` : '';
        const range = point.xEnd === null ? withUnitOf(x, point.x) : `${numberText(point.x)}–${withUnitOf(x, point.xEnd)}`;
        return point.label || `${point.series.name ? `${point.series.name}: ` : ''}${withUnitOf(y, point.y)}${interval} at ${range}`;
    }

    show(index) {
        this.at = index;
        this.tip.hidden = index < 0;
        if (index < 0) {
            return;
        }
        const point = this.points[index];
        this.host.style.cursor = point.target ? 'pointer' : '';
        this.tip.textContent = this.describe(point);
        const left = this.middle(point) + 12;
        const fits = left + this.tip.offsetWidth < this.width;
        this.tip.style.left = `${fits ? left : Math.max(0, this.middle(point) - 12 - this.tip.offsetWidth)}px`;
        this.tip.style.top = `${this.host.offsetTop + Math.max(0, this.pointY(point) - 30)}px`;
    }

    /* Opens the page about the point that is shown. */
    follow() {
        if (this.at >= 0 && this.points[this.at].target) {
            location.href = this.points[this.at].target;
        }
    }

    /* Marks a part with the mouse, and zooms to it. */
    drag(event) {
        if (event.button !== 0 || this.points.length < ZOOM_LEAST_POINTS) {
            return;
        }
        const { left } = this.host.getBoundingClientRect();
        const { first, last } = this.zoom.range;
        const value = (at) => first + ((at - this.margin.left) / this.plotWidth) * (last - first);
        event.preventDefault();
        this.host.focus();
        this.zoom.drag(this.host, event, (now) => Math.max(this.margin.left, Math.min(now.clientX - left, this.width - this.margin.right)), value);
    }

    /* Moves to the next or the previous point that is visible. */
    step(by) {
        const count = this.points.length;
        let at = this.at < 0 && by < 0 ? 0 : this.at;
        for (let i = 0; i < count; i++) {
            at = (at + by + count) % count;
            if (this.isVisible(this.points[at])) {
                this.show(at);
                this.live.textContent = this.tip.textContent;
                return;
            }
        }
    }

    press(event) {
        const steps = { ArrowRight: 1, ArrowLeft: -1 };
        const zooms = { '+': 0.5, '=': 0.5, '-': 2 };
        if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        if (event.key === 'Enter') {
            this.follow();
        } else if (event.key === 'Escape') {
            this.show(-1);
        } else if (steps[event.key] && this.points.length > 0) {
            event.preventDefault();
            this.step(steps[event.key]);
        } else if (zooms[event.key]) {
            event.preventDefault();
            this.zoom.by(zooms[event.key], this.at < 0 ? undefined : this.points[this.at].x);
        } else if (event.key === '0') {
            this.zoom.showAll();
        }
    }
}
