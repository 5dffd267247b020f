/* A page of the server: its charts, the live view, and new content when the store changes. */

const served = JSON.parse(document.getElementById('served').textContent);

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

/* Loads this page again and exchanges its content. A page that someone is filling in stays as it is. */
async function reload() {
    if (document.activeElement !== null && document.activeElement.closest('form') !== null) {
        return;
    }
    const response = await fetch(location.href);
    if (response.ok) {
        const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
        document.getElementById('page').replaceWith(fresh.getElementById('page'));
        drawCharts();
        addCopyButton();
    }
}

function followStore() {
    const events = new EventSource('/api/v1/events');
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
    new LiveView(document.getElementById('page'), served.live);
} else if (served.follows) {
    followStore();
}
