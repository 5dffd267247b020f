/* Stacked bars: one bar a frame, or one for the worst of several where they would be too thin to see. */

const LEAST_BAR_PX = 3;

let hatchPattern = null;
let hatchKey = '';

/* Stripes for time that is shown but not counted. */
function hatch(context, color) {
    const key = `${color} ${devicePixelRatio}`;
    if (key !== hatchKey) {
        const size = Math.round(6 * devicePixelRatio);
        const tile = document.createElement('canvas');
        tile.width = size;
        tile.height = size;
        const pen = tile.getContext('2d');
        pen.strokeStyle = color;
        pen.lineWidth = 1.5 * devicePixelRatio;
        pen.beginPath();
        for (const shift of [-size, 0, size]) {
            pen.moveTo(shift, size);
            pen.lineTo(shift + size, 0);
        }
        pen.stroke();
        hatchPattern = context.createPattern(tile, 'repeat');
        hatchPattern.setTransform(new DOMMatrix().scale(1 / devicePixelRatio));
        hatchKey = key;
    }
    return hatchPattern;
}

/* spec: title, about, xLabel, yLabel, parts [{name, color, values, hatched}], total(i) in ms, level() in ms or null,
 * word for one bar ("frame"), row(i) of the dump, optional name(i) on the axis, describe(i), count, optional changed(plot). Parts' values are ms, or null where unknown. */
function stackedBars(spec) {
    const view = { per: 1, first: 0, bins: [], full: false, extra: false, clipped: 0, worst: 0 };

    /* What does not count is on top, so that the rest compares with the deadline. */
    function shown() {
        return [...spec.parts.filter((part) => !part.hatched), ...spec.parts.filter((part) => part.hatched && view.extra)];
    }

    function height(index) {
        const extras = spec.parts.filter((part) => part.hatched && view.extra);
        return extras.reduce((sum, part) => sum + (part.values[index] || 0), spec.total(index));
    }

    function room(plot) {
        return Math.max(1, Math.floor(plot.width() / LEAST_BAR_PX));
    }

    /* Bins start at multiples of their width, so that they hold the same frames while one pans. */
    function arrange(plot) {
        view.per = Math.max(1, Math.ceil((plot.hi - plot.lo + 1) / room(plot)));
        view.bins = [];
        for (let at = plot.lo - (plot.lo % view.per); at <= plot.hi; at += view.per) {
            const end = Math.min(at + view.per, spec.count) - 1;
            let worst = at;
            for (let i = at; i <= end; i++) {
                if (height(i) > height(worst)) {
                    worst = i;
                }
            }
            view.bins.push({ from: at, to: end, worst });
        }
        const heights = view.bins.map((bin) => height(bin.worst)).sort((a, b) => a - b);
        view.worst = heights[heights.length - 1];
        view.top = top(heights);
        view.clipped = heights.filter((value) => value > view.top).length;
    }

    /* One frozen frame must not flatten all others: beyond three deadlines bars may be cut, and the caption says so. */
    function top(heights) {
        const level = spec.level();
        const all = Math.max(view.worst, level === null ? 0 : level * 1.15) * 1.06 || 1;
        if (view.full || level === null) {
            return all;
        }
        return Math.min(all, Math.max(level * 3, heights[Math.floor((heights.length - 1) * 0.98)] * 1.15));
    }

    function drawBin(chart, bin, colors) {
        const context = chart.ctx;
        const left = chart.x(bin.from + 0.5);
        const right = chart.x(bin.to + 1.5);
        const gap = right - left > 4 ? Math.max(1, (right - left) * 0.12) : 0;
        const width = Math.min(right - left - gap, 60);
        const x = left + (right - left - width) / 2;
        let base = 0;
        shown().forEach((part, i) => {
            const value = part.values[bin.worst];
            if (value === null || value <= 0) {
                return;
            }
            const y0 = chart.y(base);
            const y1 = chart.y(base + value);
            context.fillStyle = part.hatched ? hatch(context, colors[i]) : colors[i];
            context.fillRect(x, y1, width, Math.max(y0 - y1, 0.5));
            base += value;
        });
        if (base > view.top) {
            const tip = chart.box.top + 1;
            const half = Math.max(width / 2, 4);
            context.fillStyle = cssColor('--text');
            context.beginPath();
            context.moveTo(x + width / 2, tip);
            context.lineTo(x + width / 2 - half, tip + 7);
            context.lineTo(x + width / 2 + half, tip + 7);
            context.fill();
        }
    }

    function draw(chart) {
        const colors = shown().map((part) => cssColor(part.color));
        chart.clip();
        view.bins.forEach((bin) => drawBin(chart, bin, colors));
    }

    function binOf(index) {
        return view.bins.find((bin) => index >= bin.from && index <= bin.to) ||
            { from: index, to: index, worst: index };
    }

    function describe(index) {
        const bin = binOf(index);
        const described = spec.describe(bin.worst);
        if (bin.to > bin.from) {
            described.note = `The worst of rows ${spec.row(bin.from)}–${spec.row(bin.to)}.${described.note ? ` ${described.note}` : ''}`;
        }
        return described;
    }

    function captionText(plot) {
        const sentences = [view.per > 1
            ? `Each bar is the worst of ${view.per} ${spec.word}s in a row, with its own stages (${plural(plot.hi - plot.lo + 1, spec.word)} shown). Drag across the chart to zoom in: up to ${room(plot)} ${spec.word}s each has a bar of its own.`
            : `Each bar is one ${spec.word} (rows ${spec.row(plot.lo)}–${spec.row(plot.hi)}; ${plot.hi - plot.lo + 1} of ${spec.count}).${spec.count > 30 ? ' Drag across the chart to zoom in.' : ''}`];
        if (view.clipped > 0) {
            sentences.push(`${plural(view.clipped, 'bar')} marked ▲ ${view.clipped === 1 ? 'is' : 'are'} truncated at the top; the longest is ${view.worst.toFixed(1)} ms.`);
        }
        return sentences.join(' ');
    }

    const plot = new Plot({
        title: spec.title,
        about: spec.about,
        xs: Array.from({ length: spec.count }, (unused, i) => i + 1),
        step: 1,
        xLabel: spec.xLabel,
        xName: (x) => (x >= 1 && x <= spec.count ? (spec.name || spec.row)(x - 1).toString() : ''),
        yLabel: spec.yLabel,
        level: spec.level,
        height: 360,
        stride: () => view.per,
        yRange: () => [0, view.top || 1],
        draw,
        describe,
        arrange,
        changed: spec.changed,
        captionText,
    });
    plot.legend.append(...spec.parts.map((part) => el('span', {
        class: 'key', title: part.about }, swatch(`var(${part.color})`, part.hatched), part.hatched ? `${part.name} (not counted)` : part.name)));
    if (spec.parts.some((part) => part.hatched)) {
        plot.controls.append(checkbox('Show the wait for the display (not part of the frame time)', false, (on) => {
            view.extra = on;
            plot.changed();
        }));
    }
    plot.controls.append(checkbox('Full height', false, (on) => {
        view.full = on;
        plot.changed();
    }));
    return plot;
}
