/* The live view of an app: events arrive from the server, and are drawn once per animation frame. */

const LIVE_SPAN_NS = 10e9;

class LiveView {
    constructor(page, options) {
        this.options = options;
        this.frames = [];
        this.selected = null;
        this.paused = false;
        this.received = 0;
        this.janky = 0;
        this.lost = 0;
        this.interval = 16666667;
        this.state = 'waiting';
        this.second = null;
        this.times = new LiveTimes((frame) => this.select(frame));
        this.stages = new LiveStages();
        this.histogram = new LiveHistogram();
        this.status = el('p', { class: 'verdict plain', role: 'status' }, 'Waiting for frames');
        this.pause = button('Pause', 'Pause the view; frames are still counted', () => this.togglePause());
        this.figures = el('div', { class: 'scroll' });
        this.detail = el('section', { class: 'detail', 'aria-live': 'polite' });
        page.append(el('div', { class: 'controls' }, this.pause), this.status, this.times.figure, this.detail, this.stages.figure,
            this.histogram.figure, this.figures);
        this.times.canvas.addEventListener('keydown', (event) => this.move(event));
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
        on('problem', (data) => { this.problem = data.message; });
        events.addEventListener('open', () => { this.isConnected = true; this.plan(); });
        events.addEventListener('error', () => { this.isConnected = false; this.plan(); });
    }

    addFrames(data) {
        this.problem = null;
        this.interval = data.interval_ns || this.interval;
        for (const frame of data.frames) {
            const last = this.frames.length > 0 ? this.frames[this.frames.length - 1] : null;
            this.frames.push({
                number: frame.number, at: frame.start_ns, time: frame.frame_time_ns, janky: frame.janky === true, stages: frame.stages,
                findings: frame.findings, window: data.window, title: data.title, lost: this.pendingLost || 0,
                previous: last === null ? null : last.at,
            });
            this.pendingLost = 0;
            this.received += 1;
            this.janky += frame.janky === true ? 1 : 0;
        }
        const newest = this.frames[this.frames.length - 1].at;
        const first = this.frames.findIndex((frame) => frame.at >= newest - LIVE_SPAN_NS);
        this.frames.splice(0, Math.max(0, first));
    }

    addLost(data) {
        this.pendingLost = data.count === null || data.count === undefined ? -1 : data.count;
        this.lost += Math.max(0, this.pendingLost);
        this.lostUnknown = this.lostUnknown || this.pendingLost < 0;
    }

    /* Draws before the next animation frame, unless that is already planned. */
    plan() {
        document.documentElement.dataset.received = String(this.received);
        document.documentElement.dataset.janky = String(this.janky);
        document.documentElement.dataset.lost = String(this.lost);
        if (!this.planned) {
            this.planned = true;
            requestAnimationFrame(() => { this.planned = false; this.draw(); });
        }
    }

    draw() {
        this.writeStatus();
        if (this.paused) {
            return;
        }
        const now = this.frames.length > 0 ? this.frames[this.frames.length - 1].at : 0;
        this.times.draw(this.frames, now, this.interval, this.selected);
        this.stages.draw(this.frames, this.interval);
        this.histogram.draw(this.frames, this.interval);
        this.writeFigures();
    }

    writeStatus() {
        const words = [];
        if (this.isConnected === false) {
            words.push('The connection to the server is lost; trying again');
        } else if (this.problem) {
            words.push(this.problem);
        } else if (this.state === 'waiting') {
            words.push('The app does not run yet. The view starts when it does');
        } else {
            words.push(this.state === 'ended' ? 'The app has ended' : 'Running');
        }
        if (this.second !== null) {
            const last = this.second.last_10_s;
            words.push(`${last.fps === null ? '–' : last.fps.toFixed(1)} frames per second`);
            words.push(`${plural(last.janky, 'janky frame')} of ${last.judged.toLocaleString('en')} in the last 10 s`);
        }
        if (this.lost > 0 || this.lostUnknown) {
            words.push(this.lostUnknown ? 'some frames were lost' : `${plural(this.lost, 'frame')} lost`);
        }
        const text = `${words.join('; ')}${this.paused ? ' (paused)' : ''}`;
        if (this.status.textContent !== text) {
            this.status.textContent = text;
            const bad = this.second !== null && this.second.last_10_s.janky_percent >= 10;
            this.status.className = `verdict ${bad ? 'bad' : 'plain'}`;
        }
    }

    writeFigures() {
        if (this.second === null || this.second === this.written) {
            return;
        }
        this.written = this.second;
        const rows = [['Frames', 'frames'], ['Janky frames', 'janky'], ['Janky, %', 'janky_percent'], ['Frames per second', 'fps'],
            ['p50 frame time, ms', 'p50_ns'], ['p90 frame time, ms', 'p90_ns'], ['p95 frame time, ms', 'p95_ns'],
            ['p99 frame time, ms', 'p99_ns'], ['Longest frame, ms', 'longest_ns'], ['Lost frames', 'lost']];
        const text = (value, key) => (value === null || value === undefined ? '–' : key.endsWith('_ns') ? ms(value)
            : Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2));
        this.figures.replaceChildren(el('table', { class: 'figures' },
            el('thead', {}, el('tr', {}, el('th', { scope: 'col', class: 'text' }, 'figure'), el('th', { scope: 'col' }, 'last 10 s'),
                el('th', { scope: 'col' }, 'since the view began'))),
            el('tbody', {}, ...rows.map(([label, key]) => el('tr', {}, el('th', { scope: 'row', class: 'text' }, label),
                el('td', { class: 'number', 'data-label': 'last 10 s' }, text(this.second.last_10_s[key], key)),
                el('td', { class: 'number', 'data-label': 'since the view began' }, text(this.second.since_start[key], key)))))));
    }

    /* Shows the stages and findings of a frame. The view pauses, so that the frame stays where it is. */
    select(frame) {
        if (frame === null) {
            return;
        }
        this.selected = frame;
        if (!this.paused) {
            this.togglePause();
        }
        const stages = LIVE_STAGES.filter(([name]) => frame.stages[name] !== undefined && frame.stages[name] !== null);
        this.detail.replaceChildren(
            el('h2', {}, `Frame ${frame.number}: ${frame.time === null ? 'unknown time' : `${ms(frame.time)} ms`}, ${frame.janky ? 'janky' : 'in time'}`),
            el('dl', { class: 'fields' }, ...stages.map(([name, label]) => el('div', {}, el('dt', {}, label),
                el('dd', {}, `${ms(frame.stages[name])} ms`)))),
            frame.findings.length > 0 ? el('p', {}, `Findings: ${frame.findings.join(', ')}`) : null);
        this.times.draw(this.frames, this.frames[this.frames.length - 1].at, this.interval, this.selected);
    }

    /* The arrow keys select the previous or the next frame, with Shift the previous or next janky one. */
    move(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step === undefined || this.frames.length === 0) {
            return;
        }
        event.preventDefault();
        let at = this.selected === null ? this.frames.length - 1 : this.frames.indexOf(this.selected) + step;
        while (event.shiftKey && this.frames[at] !== undefined && !this.frames[at].janky) {
            at += step;
        }
        this.select(this.frames[Math.min(this.frames.length - 1, Math.max(0, at))] || null);
    }

    togglePause() {
        this.paused = !this.paused;
        this.pause.textContent = this.paused ? 'Continue' : 'Pause';
        this.pause.setAttribute('aria-pressed', String(this.paused));
        if (!this.paused) {
            this.selected = null;
            this.detail.replaceChildren();
        }
        this.plan();
    }
}
