/* Any difference of two columns over time, with the limits the guide names for some of them. */

const DIFFERENCES = [
    { text: 'Input latency', from: 'NewestInputEvent', to: 'FrameCompleted' },
    { text: 'Late start (Vsync after IntendedVsync)', from: 'IntendedVsync', to: 'Vsync' },
    { text: 'Input handling', from: 'HandleInputStart', to: 'AnimationStart', limit: 2 },
    { text: 'Animation', from: 'AnimationStart', to: 'PerformTraversalsStart', limit: 2 },
    { text: 'Layout and measure', from: 'PerformTraversalsStart', to: 'DrawStart' },
    { text: 'Draw', from: 'DrawStart', to: 'SyncQueued' },
    { text: 'Wait before sync', from: 'SyncQueued', to: 'SyncStart', limit: 0.1 },
    { text: 'Sync and uploads', from: 'SyncStart', to: 'IssueDrawCommandsStart', limit: 0.4 },
    { text: 'GPU work (issue to completion)', from: 'IssueDrawCommandsStart', to: 'FrameCompleted' },
    { text: 'Whole app side (to the hand-over)', from: 'IntendedVsync', to: 'SyncQueued' },
    { text: 'guide_total (FrameCompleted − IntendedVsync)', from: 'IntendedVsync', to: 'FrameCompleted' },
];

function differenceChart(view) {
    const columns = new Map(view.frames.columns.map((column) => [column.name, column.ns]));
    const presets = DIFFERENCES.filter((one) => columns.has(one.from) && columns.has(one.to));
    const start = presets.find((one) => one.text.startsWith('guide_total')) || presets[0];
    const names = [...columns.keys()];
    const state = start ? { from: start.from, to: start.to } : { from: names[0], to: names[names.length - 1] };
    const seconds = view.frames.at_ns.map((at) => at / 1e9);
    const table = el('dl', { class: 'numbers' });
    let values = [];
    let top = 1;
    let beyond = [];
    let full = false;

    const preset = () => presets.find((one) => one.from === state.from && one.to === state.to);
    const level = () => (preset() && preset().limit ? preset().limit : null);

    /* A few points far out must not flatten the others: beyond twice the 98th percentile they may be cut, and the caption says so. */
    function range(lo, hi) {
        const seen = sortedKnown(values.slice(lo, hi + 1));
        const limit = level() === null ? 0 : level() * 1.3;
        const most = seen.length === 0 ? 1 : Math.max(seen[seen.length - 1], limit);
        const least = seen.length === 0 ? 0 : Math.min(seen[0], 0);
        top = full || seen.length === 0 ? most : Math.min(most, Math.max(seen[Math.floor((seen.length - 1) * 0.98)] * 2, limit));
        const air = (top - least || 1) * 0.08;
        top = top === most ? top + air : top;
        beyond = seen.filter((value) => value > top);
        return [least < 0 ? least - air : 0, top];
    }

    function drawBeyond(chart, self) {
        const context = chart.ctx;
        const half = 5;
        context.fillStyle = cssColor('--text');
        for (let i = self.lo; i <= self.hi; i++) {
            if (values[i] !== null && values[i] > top) {
                const x = chart.x(seconds[i]);
                context.beginPath();
                context.moveTo(x, chart.box.top);
                context.lineTo(x - half, chart.box.top + half * 1.6);
                context.lineTo(x + half, chart.box.top + half * 1.6);
                context.fill();
            }
        }
    }

    /* Connects neighbours; an unknown value leaves a gap. */
    function drawLine(chart, self) {
        const context = chart.ctx;
        let connected = false;
        context.strokeStyle = cssColor('--line');
        context.lineWidth = 1;
        context.beginPath();
        for (let i = self.lo; i <= self.hi; i++) {
            if (values[i] !== null) {
                context[connected ? 'lineTo' : 'moveTo'](chart.x(seconds[i]), chart.y(values[i]));
            }
            connected = values[i] !== null;
        }
        context.stroke();
    }

    function draw(chart, self) {
        chart.clip();
        if (self.hi - self.lo < self.width() / 2) {
            drawLine(chart, self);
        }
        drawDots(chart, { xs: seconds, ys: values, lo: self.lo, hi: self.hi }, cssColor('--point'));
        drawBeyond(chart, self);
    }

    function compute() {
        const from = columns.get(state.from);
        const to = columns.get(state.to);
        values = from.map((value, i) => (value === null || to[i] === null ? null : (to[i] - value) / 1e6));
        const sorted = sortedKnown(values);
        const said = [['frames', `${sorted.length} of ${values.length}`]];
        if (sorted.length > 0) {
            const text = (value) => `${value.toFixed(3)} ms`;
            said.push(['least', text(sorted[0])], ['mean', text(mean(sorted))], ['p50', text(quantile(sorted, 0.5))],
                ['p90', text(quantile(sorted, 0.9))], ['p95', text(quantile(sorted, 0.95))],
                ['p99', text(quantile(sorted, 0.99))], ['most', text(sorted[sorted.length - 1])]);
        }
        if (level() !== null) {
            said.push([`over ${level()} ms`, percent(sorted.filter((value) => value > level()).length, sorted.length)]);
        }
        table.replaceChildren(...said.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
    }

    function captionText() {
        const unknown = values.filter((value) => value === null).length;
        const said = [`${state.to} − ${state.from}, a point a frame.`];
        if (unknown > 0) {
            said.push(`${plural(unknown, 'frame')} without one of the two ${unknown === 1 ? 'has' : 'have'} no point: unknown is not zero.`);
        }
        if (level() !== null) {
            said.push(`The line is the guide's limit of ${level()} ms for this stage.`);
        }
        if (beyond.length > 0) {
            said.push(`${plural(beyond.length, 'point')} beyond the top ${beyond.length === 1 ? 'is' : 'are'} marked ▲; the largest is ${beyond[beyond.length - 1].toFixed(1)} ms.`);
        }
        said.push('Drag to zoom; double-click or All shows everything.');
        return said.join(' ');
    }

    compute();
    const plot = new Plot({
        title: 'Difference of two columns',
        about: 'Choose what to look at, or any two stamps; stamps are nanoseconds of the device\'s clock.',
        xs: seconds,
        step: 0,
        xLabel: 'Time since the first frame (s)',
        yLabel: 'Difference (ms)',
        level,
        yRange: range,
        draw,
        captionText,
        describe: (index) => ({
            title: `Row ${view.frames.row[index]}`,
            rows: [{ name: 'at', value: `${seconds[index].toFixed(3)} s` },
                { name: 'difference', value: values[index] === null ? 'unknown' : `${values[index].toFixed(3)} ms`, strong: true }],
        }),
    });

    function update() {
        compute();
        plot.changed();
        rebuild();
    }

    function rebuild() {
        const options = names.map((name) => ({ value: name, text: name }));
        const now = preset();
        plot.controls.replaceChildren(
            select('Show', [...presets.map((one) => ({ value: one.text, text: one.text })),
                { value: '', text: 'two columns of my own' }], now ? now.text : '', (value) => {
                const chosen = presets.find((one) => one.text === value);
                if (chosen) {
                    Object.assign(state, { from: chosen.from, to: chosen.to });
                    update();
                    plot.controls.querySelectorAll('select')[0].focus();
                } else {
                    plot.controls.querySelectorAll('select')[1].focus();
                }
            }),
            select('from', options, state.from, (value) => {
                state.from = value;
                update();
                plot.controls.querySelectorAll('select')[1].focus();
            }),
            select('to', options, state.to, (value) => {
                state.to = value;
                update();
                plot.controls.querySelectorAll('select')[2].focus();
            }),
            checkbox('Full height', full, (on) => {
                full = on;
                plot.changed();
            }));
    }

    rebuild();
    plot.node.insertBefore(table, plot.host);
    return plot;
}
