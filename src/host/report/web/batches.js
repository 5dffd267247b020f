/* Batches of the store: each run a point, figures over the runs, all frame times, a typical frame, conditions. */

const SVG = 'http://www.w3.org/2000/svg';
const BATCH_COLORS = ['--good', '--bad', '--stage-animation', '--stage-input', '--stage-app', '--stage-issue',
    '--stage-layout', '--stage-wait'];

function svg(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...children);
    return node;
}

function figureOf(batch, metric) {
    return batch.figures.find((figure) => figure.metric === metric);
}

function shownValue(figure, value) {
    return value === null ? '—' : (value / figure.factor).toFixed(figure.digits);
}

function withUnit(figure, value) {
    return figure.unit === '' || value === null ? shownValue(figure, value) : `${shownValue(figure, value)}\u00a0${figure.unit}`;
}

function batchKey(batches, i) {
    return el('span', { class: 'key' }, swatch(`var(${BATCH_COLORS[i]})`), batches[i].shown);
}

function batchLegend(batches) {
    return batches.length < 2 ? null : el('div', { class: 'legend' }, ...batches.map((batch, i) => batchKey(batches, i)));
}

function outcomeCounts(batch) {
    const counts = {};
    batch.runs.filter((run) => !run.warmup).forEach((run) => { counts[run.outcome] = (counts[run.outcome] || 0) + 1; });
    return counts;
}

function runsText(batch) {
    const runs = batch.runs_counted;
    const parts = [`${plural(runs.clean, runs.disturbed > 0 ? 'counted run' : 'clean run')}${runs.planned === null ? '' : ` of ${runs.planned} planned`}`];
    [[runs.disturbed, 'of them disturbed'], [runs.failed, 'failed'], [runs.excluded, 'left out'], [runs.warmup, 'warm-up']].forEach(([count, word]) => {
        if (count > 0) {
            parts.push(`${count} ${word}`);
        }
    });
    return parts.join(', ');
}

function batchHeader(batches) {
    const names = [...new Set(batches.map((batch) => batch.project || 'Unnamed project'))];
    const top = el('header', {}, el('div', { class: 'title' }, el('h1', {}, names.join(', ')),
        el('p', { class: 'window' }, batches.map((batch) => batch.shown).join(' and '))));
    return top;
}

function factsTable(batches) {
    const rows = [
        ['Batch', (batch) => batch.id], ['Name', (batch) => batch.name], ['Version', (batch) => batch.version],
        ['Commit', (batch) => batch.commit], ['Device', (batch) => batch.model || batch.device], ['System', (batch) => batch.release],
        ['Begun', (batch) => new Date(batch.began_unix_ms).toISOString().replace('T', ' ').slice(0, 16) + ' UTC'],
        ['Deadline', (batch) => `${ms(batch.interval_ns)} ms${batch.interval_assumed ? ', assumed' : ''}`],
        ['Runs', runsText],
        ['Left out', (batch) => batch.excluded],
    ].filter(([, of]) => batches.some((batch) => of(batch) !== null));
    return batchTable('Batches', null, batches, rows.map(([name, of]) => [name, ...batches.map((batch) => of(batch) || '—')]), true);
}

function batchTable(title, about, batches, rows, asText) {
    return el('section', { class: 'chart' }, el('h2', {}, title), about === null ? null : el('p', { class: 'about' }, about),
        el('div', { class: 'scroll' }, el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, el('td', {}), ...batches.map((batch, i) => el('th', { scope: 'col', class: asText ? 'text' : null },
                batches.length > 1 ? batchKey(batches, i) : batch.shown)))),
            el('tbody', {}, ...rows.map(([name, ...cells]) => el('tr', {}, el('th', { scope: 'row' }, name),
                ...cells.map((cell) => el('td', { class: asText ? 'text' : null }, cell))))))));
}

/* ---- each run a point ---- */

const STRIP_HEIGHT = 34;

class Strips {
    constructor(batches, figure) {
        this.batches = batches;
        this.metric = figure.metric;
        this.figure = figure;
        this.host = el('div', { class: 'strips' });
        this.node = el('div', { class: 'strip' }, el('h3', {}, `${figure.name}${figure.unit === '' ? '' : `, ${figure.unit}`}`), this.host);
        charts.add(this);
        this.width = 0;
    }

    values(batch) {
        return batch.runs.filter((run) => run.counts && run.metrics[this.metric] !== undefined)
            .map((run) => ({ run, value: run.metrics[this.metric] / this.figure.factor }));
    }

    mount() {
        this.resize();
    }

    resize() {
        const width = Math.max(240, this.host.clientWidth);
        if (width !== this.width) {
            this.width = width;
            this.draw(width);
        }
    }

    redraw() {
        this.draw(this.width);
    }

    draw(width) {
        const all = this.batches.flatMap((batch) => this.values(batch).map((point) => point.value));
        const low = Math.min(...all);
        const high = Math.max(...all);
        const pad = high > low ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.1, 0.5);
        const x = (value) => 8 + ((value - low + pad) / (high - low + 2 * pad)) * (width - 16);
        const height = this.batches.length * STRIP_HEIGHT + 22;
        const picture = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': this.words() });
        this.batches.forEach((batch, i) => this.row(picture, batch, i, x));
        this.axis(picture, low - pad, high + pad, x, height, width);
        this.host.replaceChildren(picture);
    }

    row(picture, batch, i, x) {
        const middle = i * STRIP_HEIGHT + STRIP_HEIGHT / 2;
        const spread = figureOf(batch, this.metric);
        const points = this.values(batch);
        if (points.length === 0) {
            picture.append(svg('text', { class: 'tick', x: 8, y: middle + 4 }, 'unknown'));
            return;
        }
        const scale = this.figure.factor;
        const left = x(spread.q1 / scale);
        picture.append(svg('rect', { class: 'box', x: left, y: middle - 10, width: Math.max(2, x(spread.q3 / scale) - left), height: 20, rx: 3 }));
        const color = `batch-${i}`;
        /* Runs of nearly the same value stand above each other. */
        const placed = [];
        points.sort((a, b) => a.value - b.value).forEach((point) => {
            const at = x(point.value);
            const near = placed.filter((other) => Math.abs(other - at) < 5).length;
            placed.push(at);
            const lift = near === 0 ? 0 : (near % 2 === 1 ? 1 : -1) * Math.min(12, 5 * Math.ceil(near / 2));
            const dot = svg('circle', { class: `run ${color}`, cx: at, cy: middle + lift, r: 4 });
            dot.append(svg('title', {}, `run ${point.run.number}: ${point.value.toFixed(this.figure.digits)} ${this.figure.unit}`));
            picture.append(dot);
        });
        const median = x(spread.median / scale);
        picture.append(svg('line', { class: 'median', x1: median, x2: median, y1: middle - 13, y2: middle + 13 }));
        const mean = x(spread.mean / scale);
        picture.append(svg('path', { class: 'mean', d: `M${mean} ${middle + 15}l-4 -6h8z` }));
    }

    axis(picture, low, high, x, height, width) {
        const step = niceStep((high - low) / Math.max(2, Math.floor(width / 90)));
        const digits = Math.max(0, -Math.floor(Math.log10(step)));
        for (let at = Math.ceil(low / step) * step; at <= high; at += step) {
            const place = x(at);
            picture.prepend(svg('line', { class: 'gridline', x1: place, x2: place, y1: 0, y2: height - 18 }));
            picture.append(svg('text', { class: 'tick', x: Math.min(width - 14, Math.max(12, place)), y: height - 4, 'text-anchor': 'middle' }, at.toFixed(digits)));
        }
    }

    words() {
        return this.batches.map((batch) => {
            const spread = figureOf(batch, this.metric);
            return `${batch.shown}: ${this.figure.name}, median ${withUnit(spread, spread.median)} of ${plural(spread.runs, 'run')}`;
        }).join('; ');
    }
}

function figuresOver(batches) {
    const [first] = batches;
    const never = first.figures.filter((figure) => figure.never);
    const rows = first.figures.filter((figure) => !figure.never).map((figure) => {
        const name = `${figure.name}${figure.unit === '' ? '' : `, ${figure.unit}`}`;
        return [name, ...batches.flatMap((batch) => {
            const own = figureOf(batch, figure.metric);
            return [shownValue(own, own.median), shownValue(own, own.mean), own.q1 === null ? '—' : `${shownValue(own, own.q1)}\u00a0…\u00a0${shownValue(own, own.q3)}`];
        })];
    });
    const heads = batches.flatMap((batch, i) => ['median', 'mean', 'quartiles'].map((word) => el('th', { scope: 'col' },
        batches.length > 1 ? swatch(`var(${BATCH_COLORS[i]})`) : null, batches.length > 1 ? ' ' : null, word)));
    return el('section', { class: 'chart' }, el('h2', {}, 'Figures over the clean runs'),
        el('p', { class: 'about' }, 'Each run gives one value; these are over the runs. What no run tells is unknown, never zero.'),
        batchLegend(batches),
        el('div', { class: 'scroll' }, el('table', { class: 'figures' }, el('thead', {}, el('tr', {}, el('td', {}), ...heads)),
            el('tbody', {}, ...rows.map(([name, ...cells]) => el('tr', {}, el('th', { scope: 'row' }, name), ...cells.map((cell) => el('td', {}, cell))))))),
        never.length === 0 ? null : el('p', { class: 'about' }, `In no run: ${never.map((figure) => figure.name).join(', ')}.`));
}

function stripsSection(batches, plots) {
    const wanted = batches[0].figures.filter((figure) => figure.headline);
    const shown = wanted.length > 0 ? wanted : batches[0].figures.slice(0, 4);
    const several = shown.filter((figure) => batches.some((batch) => figureOf(batch, figure.metric).runs > 0));
    const strips = several.map((figure) => new Strips(batches, figure));
    plots.push(...strips);
    return el('section', { class: 'chart' }, el('h2', {}, 'Each run a point'),
        el('p', { class: 'about' }, 'The box holds the middle half of the runs, the line is their median, the triangle their mean.'),
        batchLegend(batches), el('div', { class: 'strip-grid' }, ...strips.map((strip) => strip.node)));
}

/* ---- frame times, stages ---- */

function batchHistogram(batches, batch, i) {
    const { histogram } = batch;
    const interval = batch.interval_ns / 1e6;
    const exact = histogram.of !== 'hwui';
    const open = histogram.bins_ms.length > 0 && histogram.bins_ms[histogram.bins_ms.length - 1][1] === null;
    const bins = histogram.bins_ms.slice(0, open ? -1 : undefined).map(([from, to, count]) => ({ from, to, count }));
    const last = open ? histogram.bins_ms[histogram.bins_ms.length - 1] : null;
    const all = batches.flatMap((one) => one.histogram.bins_ms);
    return new Histogram({
        interval_ns: batch.interval_ns,
        most: Math.max(...all.map((bin) => bin[2])), /* all to one scale */
        right: Math.max(...all.map((bin) => (bin[1] === null ? bin[0] + interval * 0.55 : bin[1]))),
        title: batches.length > 1 ? `Frame times: ${batch.shown}` : 'Frame times',
        about: `All frames of all clean runs: ${percent(histogram.late, histogram.frames)} took longer than the ${exact ? '' : 'bucket of the '}deadline.`,
        source: {
            value: 'batch', text: 'all clean runs', total: histogram.frames, bins,
            beyond: last === null ? null : { from: last[0], to: null, count: last[2] },
            how: exact
                ? `${histogram.of === 'guide_total' ? 'guide_total, as no rule judges these frames; b' : 'B'}ins of an eighth of the interval; times were kept to 1.1 %.`
                : 'As hwui counts: whole milliseconds rounded down. The bucket around the deadline is grey: hwui does not tell how many of its frames were late.',
        },
    });
}

function typicalFrame(batches) {
    const parts = STAGE_COLORS.map((color, id) => {
        const own = batches.map((batch) => batch.stages.find((stage) => stage.id === id));
        const named = own.find((stage) => stage !== undefined);
        return named === undefined ? null : { name: named.name, color, hatched: named.wait, values: own.map((stage) => (stage === undefined ? null : stage.ns / 1e6)) };
    }).filter((part) => part !== null);
    if (parts.length === 0) {
        return null;
    }
    const total = (i) => parts.filter((part) => !part.hatched).reduce((sum, part) => sum + (part.values[i] || 0), 0);
    const scale = Math.max(...batches.map((batch, i) => total(i)), ...batches.map((batch) => batch.interval_ns / 1e6)) * 1.04;
    const bars = batches.map((batch, i) => el('div', { class: 'typical' }, batches.length > 1 ? el('span', {}, batch.shown) : null, stageBar(parts, i, scale, batch.interval_ns / 1e6)));
    const rows = parts.map((part) => [part.hatched ? `${part.name} (not counted)` : part.name,
        ...part.values.map((value) => (value === null ? '—' : `${value.toFixed(2)}\u00a0ms`))]);
    return el('section', { class: 'chart' }, el('h2', {}, 'Stages of a typical frame'),
        el('p', { class: 'about' }, 'Of each stage the median over the runs of each run\'s median. The dashed line is the deadline.'), ...bars,
        el('div', { class: 'legend' }, ...parts.filter((part) => !part.hatched).map((part) => el('span', { class: 'key' }, swatch(`var(${part.color})`), part.name))),
        el('div', { class: 'scroll' }, el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, el('td', {}), ...batches.map((batch) => el('th', { scope: 'col' }, batches.length > 1 ? batch.shown : 'median')))),
            el('tbody', {}, ...rows.map(([name, ...cells]) => el('tr', {}, el('th', { scope: 'row' }, name), ...cells.map((cell) => el('td', {}, cell))))))));
}

function stageBar(parts, i, scale, level) {
    const picture = svg('svg', { class: 'stage-bar', viewBox: '0 0 1000 40', preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Stages of a typical frame' });
    let at = 0;
    parts.filter((part) => !part.hatched && part.values[i] !== null).forEach((part) => {
        const width = (part.values[i] / scale) * 1000;
        const bar = svg('rect', { x: at, y: 4, width: Math.max(0.5, width), height: 32, fill: `var(${part.color})` });
        bar.append(svg('title', {}, `${part.name}: ${part.values[i].toFixed(3)} ms`));
        picture.append(bar);
        at += width;
    });
    const line = (level / scale) * 1000;
    picture.append(svg('line', { class: 'level', x1: line, x2: line, y1: 0, y2: 40 }));
    return picture;
}

/* ---- causes, where runs have traces ---- */

const CAUSES_TOLD = 5;

function machineWords(machine) {
    const told = machine.slice(0, CAUSES_TOLD).map((cause) =>
        `${cause.holder === null ? cause.thread : cause.holder} ${cause.ms.toFixed(1)} ms in ${plural(cause.frames, 'frame')}`);
    return told.join(', ') + (machine.length > CAUSES_TOLD ? `, and ${machine.length - CAUSES_TOLD} more` : '');
}

function causesSection(batch, alone) {
    const triage = batch.triage;
    if (triage === null) {
        return null;
    }
    const told = triage.causes.slice(0, CAUSES_TOLD).map((cause) => el('li', {}, el('p', {}, cause.sentence)));
    const rows = triage.causes.map((cause) => [cause.kind, cause.name, cause.thread, cause.holder === null ? '—' : cause.holder,
        String(cause.frames), cause.ms.toFixed(1), String(cause.saved_frames), cause.saved_ms.toFixed(1)]);
    const heads = ['Kind', 'Section', 'Thread', 'Kept by', 'Frames', 'ms', 'Saved frames', 'Saved ms'];
    return el('section', { class: 'chart' }, el('h2', {}, alone ? 'What made frames late' : `What made frames late: ${batch.shown}`),
        el('p', { class: 'about' }, `By the traces of its runs: ${triage.frames.janky} of ${plural(triage.frames.total, 'frame')} were late; ` +
            `${triage.unexplained_ms.toFixed(1)} ms in them are unexplained.`),
        el('ol', { class: 'findings' }, ...told),
        el('div', { class: 'scroll' }, el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, ...heads.map((head, i) => el('th', { scope: 'col', class: i < 4 ? 'text' : null }, head)))),
            el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map((cell, i) => el('td', { class: i < 4 ? 'text' : null }, cell))))))),
        triage.machine.length === 0 ? null : el('p', { class: 'about' }, `Apart from these, what other programs on the machine did: ${machineWords(triage.machine)}.`),
        triage.findings.length === 0 ? null : el('p', { class: 'about' }, 'What the columns of framestats say of the same frames:'),
        el('ul', { class: 'findings' }, ...triage.findings.map((finding) => el('li', {}, finding.sentence))),
        triage.limits.length === 0 ? null : el('p', { class: 'about' }, 'What the traces cannot show:'),
        el('ul', { class: 'reasons' }, ...triage.limits.map((limit) => el('li', {}, limit))));
}

/* ---- outcomes, conditions ---- */

function outcomesTable(batches) {
    const names = [...new Set(batches.flatMap((batch) => Object.keys(outcomeCounts(batch))))];
    const rows = names.map((name) => [name, ...batches.map((batch) => String(outcomeCounts(batch)[name] || 0))]);
    const reasons = batches.flatMap((batch, i) => batch.runs.filter((run) => !run.counts && !run.warmup).map((run) => el('li', {},
        `${batches.length > 1 ? `${batch.shown}, ` : ''}run ${run.number}${run.attempt > 1 ? `, attempt ${run.attempt}` : ''}: ${run.excluded ? `left out: ${run.excluded}` : `${run.outcome}${run.reason ? `: ${run.reason}` : ''}`}`)));
    const section = batchTable('Outcomes', 'Only clean runs (ok, not left out) count; warm-up runs are in none of these.', batches, rows, false);
    if (reasons.length > 0) {
        section.append(el('ul', { class: 'reasons' }, ...reasons));
    }
    return section;
}

function conditionText(condition) {
    const number = (value) => String(Number(value.toPrecision(6)));
    const unit = condition.unit === null ? '' : `\u00a0${condition.unit}`;
    if (condition.least === null) {
        return condition.text === null ? 'unknown' : condition.text;
    }
    return condition.least === condition.most ? `${number(condition.least)}${unit}` : `${number(condition.least)}\u00a0…\u00a0${number(condition.most)}${unit}`;
}

function conditionsTable(batches) {
    const names = [...new Set(batches.flatMap((batch) => batch.conditions.map((condition) => condition.name)))];
    if (names.length === 0) {
        return null;
    }
    return batchTable('Conditions', 'Over the clean runs, before and after each.', batches, names.map((name) => [name, ...batches.map((batch) => {
        const condition = batch.conditions.find((one) => one.name === name);
        return condition === undefined ? '—' : conditionText(condition);
    })]), true);
}

function showBatches(batches) {
    const page = document.getElementById('page');
    const plots = [];
    const histograms = batches.map((batch, i) => (batch.histogram.bins_ms.length === 0 ? null : batchHistogram(batches, batch, i))).filter((one) => one !== null);
    page.replaceChildren(batchHeader(batches));
    if (batches.every((batch) => batch.runs_counted.clean === 0)) {
        page.append(el('p', { class: 'empty', role: 'status' }, 'No clean run: there is nothing to compute from. Outcomes and reasons are below.'));
    }
    const tiles = el('div', { class: 'tiles' });
    if (batches.length === 1) {
        batches[0].figures.filter((figure) => figure.headline).forEach((figure) => tiles.append(el('div', { class: 'tile' },
            el('div', { class: 'name' }, figure.name), el('div', { class: 'value' }, withUnit(figure, figure.median)),
            el('div', { class: 'source' }, `median of ${plural(figure.runs, 'run')}; mean ${withUnit(figure, figure.mean)}`))));
        page.append(tiles);
    }
    if (batches[0].figures.length > 0) {
        page.append(stripsSection(batches, plots));
    }
    if (histograms.length > 0) {
        plots.push(...histograms);
        page.append(el('div', { class: histograms.length > 1 ? 'row' : 'whole' }, ...histograms.map((histogram) => histogram.node)));
    }
    if (batches[0].figures.length > 0) {
        page.append(figuresOver(batches));
    }
    page.append(...[typicalFrame(batches), ...batches.map((batch) => causesSection(batch, batches.length === 1)), outcomesTable(batches), conditionsTable(batches), factsTable(batches)].filter((node) => node !== null));
    page.append(el('footer', {}, `Made by dejank ${report.version}. Works offline.`));
    plots.forEach((plot) => plot.mount());
    document.documentElement.dataset.ready = String(plots.length);
}
