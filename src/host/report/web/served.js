/* A page of the server: its charts, the live view, and new content when the store changes. */

let served = JSON.parse(document.getElementById('served').textContent);
let loaded = document.getElementById('page').outerHTML; /* The content as the server sent it. */

function drawCharts() {
    document.querySelectorAll('figure.chart > script').forEach((data) => {
        const figure = data.parentNode;
        figure.svgChart = new SvgChart(figure, JSON.parse(data.textContent));
    });
    document.documentElement.dataset.ready = String(document.querySelectorAll('figure.chart').length);
}

function addCopyButton() {
    if (served.markdown !== '') {
        document.querySelector('header').append(copyButton(served.markdown));
    }
}

/* Loads this page again and exchanges its content if that has changed. A page that someone is filling in stays as it is. */
async function reload() {
    if (document.activeElement !== null && document.activeElement.closest('form') !== null) {
        return;
    }
    const response = await fetch(location.href);
    const fresh = response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : document;
    const content = response.ok ? fresh.getElementById('page').outerHTML : loaded;
    if (content !== loaded) {
        loaded = content;
        served = JSON.parse(fresh.getElementById('served').textContent);
        document.getElementById('page').replaceWith(fresh.getElementById('page'));
        drawCharts();
        addCopyButton();
    }
}

function followStore() {
    const events = new EventSource(`/api/v1/events?after=${served.event_id}`);
    events.addEventListener('store', () => reload().catch(() => {}));
}

for (const link of document.querySelectorAll('nav.pages a')) {
    if (link.pathname === location.pathname) {
        link.setAttribute('aria-current', 'page');
    }
}
drawCharts();
addCopyButton();
if (served.live !== null) {
    const page = document.getElementById('page');
    page.liveView = new LiveView(page, served.live);
    document.querySelector('header button')?.remove(); /* The Markdown has no frames. */
} else if (served.refresh_s > 0) {
    setInterval(() => reload().catch(() => {}), served.refresh_s * 1000);
} else if (served.follows) {
    followStore();
}
