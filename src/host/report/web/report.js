/* The page: one view (a window of a process) at a time, from the data the tool wrote. The URL's hash contains the view,
 * the filter, the zoom and the selected frame, so that a copied URL shows the same. */

const STAGE_COLORS = ['--stage-app', '--stage-vsync', '--stage-input', '--stage-animation', '--stage-layout',
    '--stage-draw', '--stage-wait', '--stage-sync', '--stage-issue', '--stage-swap'];
const PROFILE_PARTS = [
    { name: 'Draw', color: '--stage-draw' }, { name: 'Prepare', color: '--stage-sync' },
    { name: 'Process', color: '--stage-issue' }, { name: 'Execute', color: '--stage-swap' },
];
const FLAGS = [[1, 'window changed'], [2, 'render thread animation'], [4, 'surface canvas'], [8, 'skipped']];
const WORST = 10;

const report = JSON.parse(document.getElementById('report-data').textContent);

function viewName(view) {
    const process = view.process === null ? `pid ${view.pid}` : view.process;
    const name = view.window === null ? process : `${process} — ${view.window}`;
    return report.views.some((other) => other.source !== view.source) ? `${view.source}: ${name}` : name;
}

function flagNames(flags) {
    return FLAGS.filter(([bit]) => (flags & bit) !== 0).map(([, name]) => name).join(', ');
}

/* ---- the URL ---- */

function readHash() {
    return new URLSearchParams(location.hash.slice(1));
}

/* Sets the parameters that have a value, and removes those that are null. */
function writeHash(parameters) {
    const hash = readHash();
    for (const [name, value] of Object.entries(parameters)) {
        if (value === null || value === '') {
            hash.delete(name);
        } else {
            hash.set(name, value);
        }
    }
    const text = hash.toString();
    history.replaceState(null, '', text === '' ? location.pathname + location.search : `#${text}`);
}

/* ---- the head ---- */

function header(view, choose) {
    const title = el('div', { class: 'title' }, el('h1', {}, view.process === null ? 'Unnamed process' : view.process));
    if (view.window !== null) {
        title.append(el('p', { class: 'window' }, view.window));
    }
    const top = el('header', {}, title);
    if (report.views.length > 1) {
        top.append(select('Window', report.views.map((one, i) => ({ value: String(i), text: viewName(one) })),
            String(report.views.indexOf(view)), (value) => choose(report.views[Number(value)])));
    }
    top.append(copyButton(report.markdown));
    return top;
}

function verdict(view) {
    const [label] = view.verdict.split(': ', 1);
    return el('section', { class: view.empty ? 'empty' : 'answer' },
        el('p', { class: 'verdict', role: 'status' }, el('span', { class: `label ${view.tone}` }, label),
            ` ${view.verdict.slice(label.length + 2)}`),
        el('p', { class: 'about' }, view.explanation));
}

function notes(view) {
    const facts = [view.source, view.pid < 0 ? null : `pid ${view.pid}`,
        view.release === null ? null : `Android ${view.release} format`,
        `deadline ${ms(view.interval_ns)} ms (${(1e9 / view.interval_ns).toFixed(0)} Hz${view.interval_assumed ? ', assumed' : ''})`];
    const line = el('p', { class: 'facts' });
    facts.filter((fact) => fact !== null).forEach((fact) => line.append(el('span', {}, fact)));
    return view.notes.length === 0 ? line : el('div', {}, line, el('details', { class: 'notes' },
        el('summary', {}, `About this data (${plural(view.notes.length, 'note')})`),
        el('ul', {}, ...view.notes.map((note) => el('li', {}, note)))));
}

function tiles(view) {
    const [hwui, exact] = view.figure_columns;
    return el('div', { class: 'tiles' }, ...view.figures.filter((row) => row.headline).map((row) => el('div', { class: 'tile' },
        el('div', { class: 'name' }, row.name), el('div', { class: 'value' }, row.cells[1] || row.cells[0]),
        el('div', { class: 'source' }, row.cells[1] ? `${exact}; ${hwui} ${row.cells[0] || 'none'}` : hwui))));
}

/* Where a cell has to break, a number keeps its unit. */
function unbroken(text) {
    return text.replace(/ (m?s)$/, '\u00a0$1');
}

function figuresTable(view) {
    return el('section', { class: 'chart' }, el('h2', {}, 'Figures'),
        el('p', { class: 'about' }, view.figures_about),
        el('div', { class: 'scroll' }, el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, el('td', {}), ...view.figure_columns.map((name) => el('th', { scope: 'col' }, name)))),
            el('tbody', {}, ...view.figures.map((row) => el('tr', {}, el('th', { scope: 'row' }, row.name),
                ...row.cells.map((text) => el('td', {}, text === null ? '—' : unbroken(text)))))))));
}

/* ---- filters ---- */

/* The longest stage of a frame's own time, or null. */
function longestStage(frames, i) {
    return frames.stages.filter((stage) => !stage.wait && stage.ns[i] !== null)
        .reduce((best, stage) => (best === null || stage.ns[i] > best.ns[i] ? stage : best), null);
}

function readFilter() {
    const hash = readHash();
    const seconds = (name) => (hash.has(name) && Number.isFinite(Number(hash.get(name))) ? Number(hash.get(name)) : null);
    return { janky: hash.get('janky') === '1', stage: hash.get('stage') || '', from: seconds('from'), to: seconds('to') };
}

function writeFilter(filter) {
    writeHash({ janky: filter.janky ? '1' : null, stage: filter.stage, from: filter.from, to: filter.to, zoom: null, frame: null });
}

/* The view with only the frames that pass the filter. */
function filterView(view, filter) {
    const { frames } = view;
    const kept = frames.row.map((row, i) => i).filter((i) => (!filter.janky || frames.janky[i])
        && (filter.from === null || frames.at_ns[i] >= filter.from * 1e9)
        && (filter.to === null || frames.at_ns[i] <= filter.to * 1e9)
        && (filter.stage === '' || (longestStage(frames, i) || { name: null }).name === filter.stage));
    const pick = (numbers) => kept.map((i) => numbers[i]);
    const pickAll = (lists) => lists.map((list) => ({ ...list, ns: pick(list.ns) }));
    const numbers = ['row', 'at_ns', 'time_ns', 'guide_total_ns', 'janky', 'flags'];
    return { ...view, frames: { count: kept.length, ...Object.fromEntries(numbers.map((name) => [name, pick(frames[name])])),
        stages: pickAll(frames.stages), columns: pickAll(frames.columns) } };
}

function timeBox(label, value, onchange) {
    const box = el('input', { type: 'number', step: 'any', min: '0', value, onchange: () => onchange(box.value === '' ? null : Number(box.value)) });
    return el('label', { class: 'control' }, el('span', {}, label), box);
}

function filterBar(view, filter, apply) {
    const change = (part) => apply({ ...filter, ...part });
    const stages = view.frames.stages.filter((stage) => !stage.wait).map((stage) => ({ value: stage.name, text: stage.name }));
    const kept = filterView(view, filter).frames.count;
    const bar = el('div', { class: 'controls filter', role: 'group', 'aria-label': 'Filter of the frames' },
        checkbox('Janky frames only', filter.janky, (janky) => change({ janky })),
        select('Longest stage', [{ value: '', text: 'any' }, ...stages], filter.stage, (stage) => change({ stage })),
        timeBox('From (s)', filter.from, (from) => change({ from })), timeBox('To (s)', filter.to, (to) => change({ to })));
    if (kept < view.frames.count) {
        bar.append(el('span', { role: 'status' }, `${kept} of ${plural(view.frames.count, 'frame')} shown`),
            button('Show all frames', 'Remove the filter', () => apply({ janky: false, stage: '', from: null, to: null })));
    }
    return bar;
}

function stageChart(view) {
    const { frames } = view;
    const parts = frames.stages.map((stage) => ({
        name: stage.name,
        about: `${stage.from} → ${stage.to}`,
        color: STAGE_COLORS[stage.id],
        hatched: stage.wait,
        values: stage.ns.map((ns) => (ns === null ? null : ns / 1e6)),
    }));
    const missing = !view.stages_missing ? ''
        : ' Stages that were not recorded are absent, not zero: the one before reaches to the next known stamp.';
    return stackedBars({
        title: 'Stages of each frame',
        about: `Each colour is a stage of the pipeline; hover a bar for its stages.${missing}`,
        xLabel: 'Time since the first frame (s)',
        yLabel: 'Time (ms)',
        word: 'frame',
        count: frames.count,
        row: (i) => frames.row[i],
        name: (i) => (frames.at_ns[i] / 1e9).toFixed(2),
        changed: (plot) => writeHash({
            zoom: plot.lo === 0 && plot.hi === frames.count - 1 ? null : `${frames.row[plot.lo]}-${frames.row[plot.hi]}`,
            frame: plot.selected === null ? null : frames.row[plot.selected],
        }),
        parts,
        level: () => view.interval_ns / 1e6,
        total: (i) => frames.time_ns[i] / 1e6,
        describe: (i) => {
            const rows = parts.filter((part) => part.values[i] !== null && !part.hatched).map((part) => ({
                name: part.name, value: `${part.values[i].toFixed(3)} ms`, color: `var(${part.color})`,
            }));
            rows.push({ name: 'Frame time', value: `${ms(frames.time_ns[i])} ms`, strong: true });
            parts.filter((part) => part.hatched && part.values[i] !== null).forEach((part) => rows.push({
                name: `${part.name} (not counted)`, value: `${part.values[i].toFixed(3)} ms`, color: `var(${part.color})`, hatched: true,
            }));
            rows.push({ name: 'guide_total', value: `${ms(frames.guide_total_ns[i])} ms` });
            const flags = flagNames(frames.flags[i]);
            return {
                title: `Row ${frames.row[i]} at ${(frames.at_ns[i] / 1e9).toFixed(3)} s${frames.janky[i] ? ' — janky' : ''}`,
                rows,
                note: flags === '' ? null : `Flags: ${flags}.`,
            };
        },
    });
}

function profileChart(view) {
    const parts = PROFILE_PARTS.map((part, column) => ({
        ...part, values: view.profile.map((row) => row[column]),
    })).filter((part) => part.values.some((value) => value !== null));
    const total = (i) => parts.reduce((sum, part) => sum + (part.values[i] || 0), 0);
    return stackedBars({
        title: 'Simple timing dump (Profile GPU rendering)',
        about: 'What the dump printed with "Profile GPU rendering" on; hwui cuts each value at 50 ms.',
        xLabel: 'Row of the dump',
        yLabel: 'Time (ms)',
        word: 'row',
        count: view.profile.length,
        row: (i) => i + 1,
        parts,
        level: () => view.interval_ns / 1e6,
        total,
        describe: (i) => ({
            title: `Row ${i + 1}`,
            rows: [...parts.filter((part) => part.values[i] !== null).map((part) => ({
                name: part.name, value: `${part.values[i].toFixed(2)} ms`, color: `var(${part.color})`,
            })), { name: 'Sum', value: `${total(i).toFixed(2)} ms`, strong: true }],
        }),
    });
}

function showButton(stages, row, i) {
    return button('Show', `Show row ${row} among its neighbours`, () => {
        stages.zoom(i - 15, i + 15);
        stages.host.focus({ preventScroll: true });
        stages.node.scrollIntoView({ block: 'center' });
        stages.move(i);
    });
}

/* A finding names its worst frame, which the filter may hide. */
function findingsList(view, shown, stages) {
    const items = view.findings.map((finding) => {
        const row = finding.worst === null ? null : view.frames.row[finding.worst];
        const at = row === null ? -1 : shown.frames.row.indexOf(row);
        return el('li', {}, el('p', {}, finding.sentence, ' ', at < 0 ? null : showButton(stages, row, at)),
            el('p', { class: 'about' }, finding.look_at));
    });
    return el('section', { class: 'chart' }, el('h2', {}, 'Findings, most severe first'), el('ol', { class: 'findings' }, ...items));
}

function worstTable(view, stages) {
    const { frames } = view;
    const order = frames.time_ns.map((time, i) => i)
        .sort((a, b) => frames.time_ns[b] - frames.time_ns[a]).slice(0, WORST);
    const flagged = order.some((i) => flagNames(frames.flags[i]) !== '');
    const rows = order.map((i) => {
        const stage = longestStage(frames, i);
        return el('tr', {}, el('th', { scope: 'row' }, String(frames.row[i])),
            el('td', { class: 'spare' }, `${(frames.at_ns[i] / 1e9).toFixed(3)}\u00a0s`),
            el('td', {}, `${ms(frames.time_ns[i])}\u00a0ms`),
            el('td', {}, `${(frames.time_ns[i] / view.interval_ns).toFixed(1)}\u00a0×`),
            el('td', { class: 'text' }, stage === null ? '—' : `${stage.name} (${ms(stage.ns[i])}\u00a0ms)`),
            flagged ? el('td', { class: 'text' }, flagNames(frames.flags[i]) || '—') : null,
            el('td', {}, showButton(stages, frames.row[i], i)));
    });
    return el('section', { class: 'chart' }, el('h2', {}, order.length < frames.count ? `The ${order.length} slowest frames` : 'Frames, slowest first'),
        el('div', { class: 'scroll' }, el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Row'), el('th', { scope: 'col', class: 'spare' }, 'At'),
                ...['Frame time', 'Of the deadline'].map((name) => el('th', { scope: 'col' }, name)),
                el('th', { scope: 'col', class: 'text' }, 'Longest stage'),
                flagged ? el('th', { scope: 'col', class: 'text' }, 'Flags') : null, el('td', {}))),
            el('tbody', {}, ...rows))));
}

/* Restores the zoom and the selected frame of the URL. */
function restore(stages, frames) {
    const hash = readHash();
    const [lo, hi] = (hash.get('zoom') || '').split('-').map((row) => frames.row.indexOf(Number(row)));
    const selected = frames.row.indexOf(Number(hash.get('frame')));
    if (lo >= 0 && hi >= lo) {
        stages.zoom(lo, hi);
    }
    if (selected >= 0) {
        stages.move(selected);
    }
}

/* The frames that pass the filter: their stages, the slowest of them, the findings and differences. */
function addFrames(page, view, plots) {
    const filter = readFilter();
    const shown = filterView(view, filter);
    page.append(el('section', { class: 'chart' }, el('h2', {}, 'Frames'), filterBar(view, filter, (changed) => {
        writeFilter(changed);
        show(view);
    })));
    if (shown.frames.count === 0) {
        page.append(el('p', { class: 'empty' }, 'No frame passes the filter.'));
        return null;
    }
    const stages = stageChart(shown);
    page.append(stages.node, worstTable(shown, stages));
    if (view.findings.length > 0) {
        page.append(findingsList(view, shown, stages));
    }
    plots.push(stages);
    if (shown.frames.columns.length > 1) {
        const difference = differenceChart(shown);
        page.append(difference.node);
        plots.push(difference);
    }
    return () => restore(stages, shown.frames);
}

/* Another window has other frames, so the zoom and the selected frame go. */
function choose(view) {
    writeHash({ view: report.views.indexOf(view) === report.worst ? null : report.views.indexOf(view),
        janky: null, stage: null, from: null, to: null, zoom: null, frame: null });
    show(view);
}

function show(view) {
    const page = document.getElementById('page');
    charts.clear();
    const plots = [];
    let ready = null;
    const row = el('div', { class: 'row' });
    page.replaceChildren(header(view, choose), verdict(view), notes(view));
    if (view.figures.length > 0) {
        page.append(tiles(view));
    }
    if (view.frames.count > 0 || (view.hwui && view.hwui.histogram.length > 0)) {
        const histogram = new Histogram(view);
        plots.push(histogram);
        row.append(histogram.node);
    }
    if (view.figures.length > 0) {
        row.append(figuresTable(view));
    }
    page.append(row);
    if (view.frames.count > 0) {
        ready = addFrames(page, view, plots);
    }
    if (view.profile.length > 0) {
        const profile = profileChart(view);
        page.append(profile.node);
        plots.push(profile);
    }
    page.append(el('footer', {}, `Made by dejank ${report.version}. Works offline.`));
    plots.forEach((plot) => plot.mount());
    if (ready !== null) {
        ready();
    }
    const chosen = document.querySelector('header select');
    if (chosen && document.activeElement === document.body && show.again) {
        chosen.focus();
    }
    show.again = true;
    document.documentElement.dataset.ready = String(plots.length);
}

function showHash() {
    const index = readHash().has('view') ? Number(readHash().get('view')) : report.worst;
    show(report.views[index] || report.views[report.worst]);
}

addEventListener('hashchange', showHash);
showHash();
