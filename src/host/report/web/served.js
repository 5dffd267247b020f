/* A page of the server: its charts, the live view, and new content when the store changes. */

let served = JSON.parse(document.getElementById('served').textContent);
let loaded = document.getElementById('page').outerHTML; /* The content as the server sent it. */

function drawCharts() {
    document.querySelectorAll('figure.chart > script').forEach((data, i) => {
        const figure = data.parentNode;
        figure.svgChart = new SvgChart(figure, JSON.parse(data.textContent), (range) => storeZoom(i + 1, range));
    });
    restoreZooms();
    document.documentElement.dataset.ready = String(document.querySelectorAll('figure.chart').length);
}

/* Shows the parts of the charts that are in the address. */
function restoreZooms() {
    const zooms = readZooms();
    document.querySelectorAll('figure.chart').forEach(({ svgChart }, i) => {
        const range = zooms.get(i + 1) || (svgChart && !svgChart.zoom.isWhole() ? svgChart.zoom.full : null);
        if (svgChart && range !== null) {
            svgChart.zoom.set(range.first, range.last, false);
        }
    });
}

function addCopyButton() {
    if (served.markdown !== '') {
        document.querySelector('header').append(copyButton(served.markdown));
    }
}

/* Whether someone is filling in a form of the page. */
function isEdited() {
    return (document.activeElement !== null && document.activeElement.closest('form') !== null)
        || [...document.querySelectorAll('form input')].some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}

/* Loads this page again and exchanges its content if that has changed. A page that someone is filling in stays as it is. */
async function reload() {
    if (isEdited()) {
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
addEventListener('popstate', restoreZooms);
if (served.live !== null) {
    const page = document.getElementById('page');
    page.liveView = new LiveView(page, served.live);
    document.querySelector('header button')?.remove(); /* The Markdown has no frames. */
} else if (served.refresh_s > 0) {
    setInterval(() => reload().catch(() => {}), served.refresh_s * 1000);
} else if (served.follows) {
    followStore();
}
