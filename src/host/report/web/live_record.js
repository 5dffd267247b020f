/* The buttons that record the app of a live view as a run of the store, and mark moments meanwhile. */

class LiveRecorder {
    constructor(view, options) {
        this.options = options;
        this.record = button('Record 10 s', 'Measure the next 10 s and store them as a run', () => this.send(options.record, 'seconds=10'));
        this.mark = button('Mark', 'Mark this moment in the run that is being recorded', () => this.send(options.record.replace(/record$/, 'mark'), ''));
        this.words = el('span', { role: 'status' });
        this.mark.disabled = true;
        view.pause.after(this.record, this.mark, this.words);
    }

    async send(path, body) {
        const answer = await fetch(path, {
            method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRF-Token': this.options.csrf },
        }).catch(() => null);
        if (answer === null || !answer.ok) {
            this.words.textContent = 'The server did not accept this';
        }
    }

    begin(data) {
        this.record.disabled = true;
        this.mark.disabled = false;
        this.words.textContent = `Recording ${Math.round(data.duration_ns / 1e9)} s`;
    }

    end(data) {
        this.record.disabled = false;
        this.mark.disabled = true;
        this.words.replaceChildren(data.batch === undefined ? data.message
            : el('a', { href: `/batches/${data.batch}` }, `Stored as batch ${data.batch}`));
    }
}
