/* The live view of an app: events arrive from the server, and are drawn once per animation frame. */

const LIVE_FIGURES = [['Frames', 'frames'], ['Janky frames', 'janky'], ['Janky, %', 'janky_percent'], ['Frames per second', 'fps'],
    ['p50 frame time, ms', 'p50_ns'], ['p90 frame time, ms', 'p90_ns'], ['p95 frame time, ms', 'p95_ns'], ['p99 frame time, ms', 'p99_ns'],
    ['Longest frame, ms', 'longest_ns'], ['Lost frames', 'lost']];

function figureText(value, key) {
    return value === null || value === undefined ? '–'
        : key.endsWith('_ns') ? ms(value)
            : Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2);
}

class LiveView {
    constructor(page, options) {
        this.options = options;
        this.frames = [];
        this.windows = new Map();
        this.window = '';
        this.lostBefore = new Map();
        this.selected = null;
        this.kept = null; /* The frames that a paused view shows. */
        this.received = 0;
        this.janky = 0;
        this.lost = 0;
        this.interval = 16666667;
        this.state = 'waiting';
        this.second = null;
        this.times = new LiveTimes((frame) => this.select(frame));
        this.stages = new LiveStages();
        this.histogram = new LiveHistogram();
        this.status = el('p', { class: 'verdict plain', role: 'status' }, 'Waiting for the first answer of the server');
        this.summary = el('p', { class: 'about' });
        this.pause = button('Pause', 'Pause the view; frames are still counted', () => this.togglePause());
        this.choice = el('span', {});
        this.detail = el('section', { class: 'detail', 'aria-live': 'polite' });
        this.figures = el('figure', { class: 'chart' }, el('figcaption', { class: 'caption' }, 'Figures of all windows'), el('div', { class: 'scroll' }));
        this.graphs = el('div', { class: 'live-graphs', hidden: true }, el('div', { class: 'controls' }, this.pause, this.choice), this.times.figure, this.detail,
            this.stages.figure, el('div', { class: 'row' }, this.histogram.figure, this.figures));
        page.append(this.status, this.summary, this.graphs);
        this.times.canvas.addEventListener('keydown', (event) => this.move(event));
        new ResizeObserver(() => this.plan()).observe(page);
        this.recorder = options.record === null ? null : new LiveRecorder(this, options);
        this.connect();
        this.plan();
    }

    connect() {
        const events = new EventSource(this.options.events);
        const on = (name, take) => events.addEventListener(name, (event) => { take(JSON.parse(event.data)); this.plan(); });
        on('frames', (data) => this.addFrames(data));
        on('lost', (data) => this.addLost(data));
        on('second', (data) => { this.second = data; this.state = data.state; });
        on('state', (data) => { this.state = data.state; });
        if (this.recorder !== null) {
            on('recording', (data) => this.recorder.begin(data));
            on('recorded', (data) => this.recorder.end(data));
        }
        on('problem', (data) => { this.problem = data.message; });
        events.addEventListener('open', () => { this.isConnected = true; this.plan(); });
        events.addEventListener('error', () => { this.isConnected = false; this.plan(); });
    }

    addFrames(data) {
        const known = this.windows.get(data.window) || { at: null };
        const lost = this.lostBefore.get(data.window) || this.lostBefore.get(null) || 0;
        this.problem = null;
        this.state = this.state === 'waiting' ? 'running' : this.state;
        this.lostBefore.delete(data.window);
        this.lostBefore.delete(null);
        data.frames.forEach((frame, i) => {
            this.frames.push({
                number: frame.number, at: frame.start_ns, time: frame.frame_time_ns, janky: frame.janky === true, stages: frame.stages,
                findings: frame.findings, window: data.window, interval: data.interval_ns, lost: i === 0 ? lost : 0, previous: known.at,
            });
            known.at = frame.start_ns;
            this.received += 1;
            this.janky += frame.janky === true ? 1 : 0;
        });
        this.windows.set(data.window, { at: known.at, title: data.title, process: data.process, interval: data.interval_ns });
        const oldest = Math.max(...[...this.windows.values()].map((one) => one.at)) - LIVE_SPAN_NS;
        this.frames = this.frames.filter((frame) => frame.at >= oldest);
        [...this.windows].filter(([, one]) => one.at < oldest).forEach(([id]) => this.windows.delete(id));
    }

    addLost(data) {
        const count = data.count ?? -1;
        this.lostBefore.set(data.window, count);
        this.lost += Math.max(0, count);
        this.isLostUnknown = this.isLostUnknown || count < 0;
    }

    /* Draws before the next animation frame, unless that is already planned. */
    plan() {
        document.documentElement.dataset.received = String(this.received);
        document.documentElement.dataset.janky = String(this.janky);
        document.documentElement.dataset.lost = String(this.lost);
        if (!this.isPlanned) {
            this.isPlanned = true;
            requestAnimationFrame(() => { this.isPlanned = false; this.draw(); });
        }
    }

    /* The frames of the chosen window, or of all windows. */
    getShown() {
        const frames = this.kept || this.frames;
        return this.window === '' ? frames : frames.filter((frame) => String(frame.window) === this.window);
    }

    draw() {
        this.writeStatus();
        this.graphs.hidden = this.received === 0;
        if (this.received > 0) {
            this.writeWindows();
            const frames = this.getShown();
            const interval = frames.length > 0 ? frames[frames.length - 1].interval : this.interval;
            this.times.draw(frames, interval, this.selected);
            this.stages.draw(frames, interval);
            this.histogram.draw(frames, interval);
            this.writeFigures();
        }
    }

    writeStatus() {
        const words = this.problem ? `${this.problem}; trying again`
            : this.isConnected === false ? 'The connection to the server is lost; trying again'
                : this.state === 'waiting' ? 'The app does not run yet; the view starts when it does'
                    : this.second === null || this.second.last_10_s.frames === 0 ? (this.state === 'ended' ? 'The app has ended' : 'Running, without frames in the last 10 s')
                        : this.describeJank(this.second.last_10_s);
        const text = `${words}${this.kept ? ' (paused)' : ''}`;
        const percent = this.second === null ? null : this.second.last_10_s.janky_percent;
        const tone = this.problem || this.isConnected === false ? 'warning' : percent === null || this.second.last_10_s.frames === 0 ? 'plain' : percent >= 2 ? 'bad' : 'good';
        if (this.status.textContent !== text) {
            this.status.textContent = text;
            this.status.className = `verdict ${tone}`;
        }
        this.writeSummary();
    }

    describeJank(last) {
        const what = `${last.janky.toLocaleString('en')} of ${plural(last.judged, 'frame')} janky`;
        return `${this.state === 'ended' ? 'Ended' : 'Running'}: ${last.judged === 0 ? 'the jank rule applies to no frame' : what} in the last 10 s`;
    }

    writeSummary() {
        const last = this.second === null ? null : this.second.last_10_s;
        const words = [];
        if (last !== null && last.fps !== null) {
            words.push(`${last.fps.toFixed(1)} frames per second`);
        }
        if (last !== null && last.p95_ns !== null) {
            words.push(`p50 ${ms(last.p50_ns)} ms`, `p95 ${ms(last.p95_ns)} ms`, `longest ${ms(last.longest_ns)} ms`);
        }
        if (this.lost > 0 || this.isLostUnknown) {
            words.push(this.isLostUnknown ? 'an unknown number of frames lost' : `${plural(this.lost, 'frame')} lost`);
        }
        const text = words.join(' · ');
        if (this.summary.textContent !== text) {
            this.summary.textContent = text;
        }
    }

    /* Offers the windows if there are several. */
    writeWindows() {
        const names = [...this.windows].map(([id, one]) => ({ value: String(id), text: `${one.title || one.process || 'window'} (${id})` }));
        const key = names.map((one) => one.text).join();
        if (key === this.windowKey) {
            return;
        }
        this.windowKey = key;
        if (!names.some((one) => one.value === this.window)) {
            this.window = '';
        }
        this.choice.replaceChildren(...(names.length > 1 ? [select('Window', [{ value: '', text: 'all windows' }, ...names], this.window, (value) => {
            this.window = value;
            this.plan();
        })] : []));
    }

    writeFigures() {
        if (this.second === null || this.second === this.written) {
            return;
        }
        this.written = this.second;
        const columns = [['last 10 s', this.second.last_10_s], ['since the view began', this.second.since_start]];
        this.figures.lastChild.replaceChildren(el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, el('th', { scope: 'col', class: 'text' }, 'figure'), ...columns.map(([label]) => el('th', { scope: 'col' }, label)))),
            el('tbody', {}, ...LIVE_FIGURES.map(([label, key]) => el('tr', {}, el('th', { scope: 'row', class: 'text' }, label),
                ...columns.map(([name, figures]) => el('td', { class: 'number', 'data-label': name }, figureText(figures[key], key))))))));
    }

    /* Shows the stages and findings of a frame. The view pauses, so that the frame stays where it is. */
    select(frame) {
        if (frame === null) {
            return;
        }
        if (this.kept === null) {
            this.togglePause();
        }
        this.selected = frame;
        const stages = LIVE_STAGES.filter(([name]) => (frame.stages[name] ?? null) !== null);
        const from = this.windows.get(frame.window);
        const title = this.windows.size > 1 && from !== undefined ? `, ${from.title || from.process}` : '';
        this.detail.replaceChildren(
            el('h2', {}, `Frame ${frame.number}${title}: ${frame.time === null ? 'unknown time' : `${ms(frame.time)} ms`}, ${frame.janky ? 'janky' : 'in time'}`),
            el('dl', { class: 'fields' }, ...stages.map(([name, label]) => el('div', {}, el('dt', {}, label), el('dd', {}, `${ms(frame.stages[name])} ms`))),
                frame.findings.length > 0 ? el('div', {}, el('dt', {}, 'Findings'), el('dd', {}, frame.findings.join(', '))) : null));
        this.plan();
    }

    /* The arrow keys select the previous or the next frame, with Shift the previous or next janky one. */
    move(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const frames = this.getShown().filter((frame) => frame.time !== null);
        if (step === undefined || frames.length === 0) {
            return;
        }
        event.preventDefault();
        let at = this.selected === null ? frames.length - 1 : frames.indexOf(this.selected) + step;
        while (event.shiftKey && frames[at] !== undefined && !frames[at].janky) {
            at += step;
        }
        this.select(frames[at] || null);
    }

    togglePause() {
        this.kept = this.kept === null ? this.frames.slice() : null;
        this.pause.textContent = this.kept ? 'Continue' : 'Pause';
        this.pause.title = this.kept ? 'Show new frames again' : 'Pause the view; frames are still counted';
        this.pause.setAttribute('aria-label', this.pause.title);
        if (this.kept === null) {
            this.selected = null;
            this.detail.replaceChildren();
        }
        this.plan();
    }
}
