#include "report/devices.h"

#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"

static void write_model(struct dj_text *cell, const struct dj_device_facts *facts)
{
    bool maker =
        facts->manufacturer[0] != '\0' &&
        strncasecmp(facts->model, facts->manufacturer, strlen(facts->manufacturer)) != 0;
    dj_text_format(cell, "%s%s%s", maker ? facts->manufacturer : "",
                   maker && facts->model[0] != '\0' ? " " : "", facts->model);
    if (facts->emulator == DJ_KNOWN_YES) {
        dj_text_format(cell, "%s(%s)", cell->length > 0 ? " " : "",
                       facts->api > 0 ? "emulator" : "virtual");
    }
}

static void write_release(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->api > 0) {
        dj_text_format(cell, "Android %s (API %d)", facts->release, facts->api);
    } else {
        dj_text_add(cell, facts->release);
    }
}

static void write_screen(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->width_px > 0) {
        dj_text_format(cell, "%dx%d", facts->width_px, facts->height_px);
    }
    if (facts->density_dpi > 0) {
        dj_text_format(cell, "%s%d dpi", cell->length > 0 ? " " : "", facts->density_dpi);
    }
}

/* Writes the current and the possible refresh rates, such as "60 of 60/90/120". Omits the
 * unknown part. */
static void write_rates(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->refresh_hz > 0) {
        dj_text_format(cell, "%.4g", facts->refresh_hz);
    }
    if (facts->rate_count < 2 && cell->length > 0) {
        return;
    }
    for (size_t i = 0; i < facts->rate_count; i++) {
        dj_text_format(cell, "%s%.4g",
                       i > 0              ? "/"
                       : cell->length > 0 ? " of "
                                          : "",
                       facts->rates_hz[i]);
    }
}

static void write_cpu(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->cores > 0) {
        dj_text_format(cell, "%d", facts->cores);
    }
    if (facts->cpu_max_hz > 0) {
        dj_text_format(cell, "%s%.2g GHz", cell->length > 0 ? "×" : "",
                       (double)facts->cpu_max_hz / 1e9);
    }
    if (facts->governor[0] != '\0') {
        dj_text_format(cell, "%s%s", cell->length > 0 ? " " : "", facts->governor);
    }
}

/* Writes the name of the GPU. It is between the commas of "Qualcomm, Adreno (TM) 650,
 * OpenGL ES 3.2 V@…". */
static void write_gpu(struct dj_text *cell, const struct dj_device_facts *facts)
{
    const char *comma = strchr(facts->gpu, ',');
    const char *name = comma != NULL ? comma + 1 + strspn(comma + 1, " ") : facts->gpu;
    dj_text_append(cell, name, strcspn(name, ","));
}

static void write_battery(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->battery_pct >= 0) {
        dj_text_format(cell, "%d %%%s", facts->battery_pct,
                       facts->charging == DJ_KNOWN_YES ? "+" : "");
    }
}

static void write_heat(struct dj_text *cell, const struct dj_device_facts *facts)
{
    double heat_c = facts->skin_c > -100 ? facts->skin_c : facts->battery_c;
    if (heat_c > -100) {
        dj_text_format(cell, "%.0f °C", heat_c);
    }
}

static void write_now(struct dj_text *cell, const struct dj_device_facts *facts)
{
    const char *screen = facts->screen_on == DJ_KNOWN_YES  ? "on"
                         : facts->screen_on == DJ_KNOWN_NO ? "off"
                                                           : "";
    const char *lock = facts->locked == DJ_KNOWN_YES ? "locked" : "";
    dj_text_format(cell, "%s%s%s", screen,
                   screen[0] != '\0' && lock[0] != '\0' ? ", " : "", lock);
}

static void write_ram(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->ram_bytes > 0) {
        dj_text_format(cell, "%.1f GiB", (double)facts->ram_bytes / 1073741824.0);
    }
}

static const struct dj_inquired_device *get_device(const void *record)
{
    return record;
}

static void get_name(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_device(record)->name);
}

static void get_state(struct dj_cell *cell, const void *record)
{
    const struct dj_inquired_device *device = get_device(record);
    bool ready = dj_device_inquired_is_ready(device);
    const char *state =
        device->error.code == DJ_E_TIMEOUT ? "silent" : device->facts.state;
    bool usual = strcmp(state, "device") == 0 || strcmp(state, "local") == 0 ||
                 strcmp(state, "replay") == 0;
    cell->tone = ready ? DJ_TONE_GOOD : DJ_TONE_BAD;
    dj_cell_format(cell, "%s%s%s", ready ? "ready" : "not ready",
                   usual || state[0] == '\0' ? "" : ": ", usual ? "" : state);
}

/* Defines a function `get` that fills a cell with the text that write(text, facts)
 * appends. */
#define FACT(get, write)                                                                 \
    static void get(struct dj_cell *cell, const void *record)                            \
    {                                                                                    \
        write(&cell->text, &get_device(record)->facts);                                  \
    }

FACT(get_model, write_model)
FACT(get_release, write_release)
FACT(get_rates, write_rates)
FACT(get_screen, write_screen)
FACT(get_ram, write_ram)
FACT(get_cpu, write_cpu)
FACT(get_gpu, write_gpu)
FACT(get_battery, write_battery)
FACT(get_heat, write_heat)
FACT(get_now, write_now)

static const struct dj_table_column main_columns[] = {
    {"device", NULL, false, get_name},   {"state", NULL, false, get_state},
    {"model", NULL, false, get_model},   {"release", NULL, false, get_release},
    {"display", "Hz", false, get_rates},
};

static const struct dj_table_column detail_columns[] = {
    {"device", NULL, false, get_name},     {"display", NULL, false, get_screen},
    {"RAM", NULL, true, get_ram},          {"CPU", NULL, false, get_cpu},
    {"GPU", NULL, false, get_gpu},         {"battery", NULL, true, get_battery},
    {"temperature", NULL, true, get_heat}, {"screen", NULL, false, get_now},
};
enum { COLUMNS_MAX = COUNT_OF(detail_columns) };

static bool has_value(const struct dj_table_column *column,
                      const struct dj_inquired_device *devices, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        struct dj_cell cell = {.tone = DJ_TONE_PLAIN};
        column->get(&cell, &devices[i]);
        found = cell.text.length > 0;
        dj_text_finish(&cell.text);
    }
    return found;
}

/* Adds a table of devices. Omits columns without a value. Adds no table if only the
 * column of names would remain. */
static void add_table(struct dj_document *document, const struct dj_table_column *columns,
                      size_t column_count, const struct dj_inquired_device *devices,
                      size_t count)
{
    struct dj_table_column shown[COLUMNS_MAX];
    size_t shown_count = 0;
    for (size_t i = 0; i < column_count; i++) {
        if (has_value(&columns[i], devices, count)) {
            shown[shown_count++] = columns[i];
        }
    }
    if (shown_count < 2) {
        return;
    }
    dj_document_begin_table(document, shown, shown_count);
    for (size_t i = 0; i < count; i++) {
        dj_document_add_row(document, &devices[i]);
    }
}

/* Returns the first obstacle that prevents measurements, or NULL if there is none. */
static const struct dj_device_obstacle *
find_blocking(const struct dj_inquired_device *device)
{
    for (size_t i = 0; i < device->obstacle_count; i++) {
        if (device->obstacles[i].blocks) {
            return &device->obstacles[i];
        }
    }
    return NULL;
}

static void write_blocked(struct dj_text *words, const struct dj_inquired_device *devices,
                          size_t count)
{
    const char *before = ": ";
    for (size_t i = 0; i < count; i++) {
        const struct dj_device_obstacle *obstacle = find_blocking(&devices[i]);
        if (!dj_device_inquired_is_ready(&devices[i])) {
            dj_text_format(words, "%s%s", before, devices[i].name);
            before = ", ";
        }
        if (obstacle != NULL) {
            dj_text_add(words, " (");
            dj_name_write_slug(words, obstacle->name);
            dj_text_add(words, ")");
        }
    }
}

/* Adds the verdict: "2 devices are ready, 1 needs attention: emulator-5554 (screen off)".
 */
static void add_verdict(struct dj_document *document,
                        const struct dj_inquired_device *devices, size_t count)
{
    struct dj_text words = {0};
    size_t ready = 0;
    for (size_t i = 0; i < count; i++) {
        ready += dj_device_inquired_is_ready(&devices[i]);
    }
    size_t blocked = count - ready;
    if (count == 0) {
        dj_text_add(&words, "No device is connected");
    } else if (ready == 0) {
        dj_text_format(&words, "No device is ready, %zu need%s attention", blocked,
                       blocked == 1 ? "s" : "");
    } else {
        dj_text_format(&words, "%zu device%s ready", ready, ready == 1 ? " is" : "s are");
        if (blocked > 0) {
            dj_text_format(&words, ", %zu need%s attention", blocked,
                           blocked == 1 ? "s" : "");
        }
    }
    write_blocked(&words, devices, count);
    dj_document_add_verdict(document,
                            ready == 0    ? DJ_TONE_BAD
                            : blocked > 0 ? DJ_TONE_WARNING
                                          : DJ_TONE_GOOD,
                            &words);
}

static void add_obstacles(struct dj_document *document,
                          const struct dj_inquired_device *device)
{
    for (size_t i = 0; i < device->obstacle_count; i++) {
        const struct dj_device_obstacle *obstacle = &device->obstacles[i];
        struct dj_text words = {0};
        dj_text_format(&words, "%s — %s%s", device->name, obstacle->says,
                       obstacle->blocks ? "" : "; figures may be worse");
        dj_document_add_note(document, obstacle->blocks ? DJ_TONE_BAD : DJ_TONE_WARNING,
                             &words);
    }
}

static void add_commands(struct dj_document *document,
                         const struct dj_inquired_device *device)
{
    for (size_t i = 0; i < device->obstacle_count; i++) {
        const struct dj_device_obstacle *obstacle = &device->obstacles[i];
        struct dj_text words = {0};
        if (obstacle->command[0] != '\0') {
            dj_text_add(&words, "fixes: ");
            dj_name_write_slug(&words, obstacle->name);
            dj_document_add_command(document, obstacle->command, dj_xtext(&words));
        }
        dj_text_finish(&words);
    }
}

void dj_report_build_devices(struct dj_document *document,
                             const struct dj_inquired_device *devices, size_t count)
{
    dj_document_set_title(document, "Devices — dejank");
    add_verdict(document, devices, count);
    add_table(document, main_columns, COUNT_OF(main_columns), devices, count);
    for (size_t i = 0; i < count; i++) {
        add_obstacles(document, &devices[i]);
    }
    dj_document_begin_details(document, "hardware and present state", false);
    add_table(document, detail_columns, COUNT_OF(detail_columns), devices, count);
    dj_document_end_details(document);
    for (size_t i = 0; i < count; i++) {
        add_commands(document, &devices[i]);
    }
}

static void write_obstacles(struct dj_text *text, const struct dj_inquired_device *device)
{
    for (size_t i = 0; i < device->obstacle_count; i++) {
        const struct dj_device_obstacle *obstacle = &device->obstacles[i];
        dj_text_append_any_name(
            text, obstacle->blocks ? "  not ready: " : "  note: ", obstacle->says, "\n");
        if (obstacle->command[0] != '\0') {
            dj_text_append_any_name(text, "    fix: ", obstacle->command, "\n");
        }
    }
}

void dj_report_device_event_text(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device)
{
    struct dj_text model = {0}, release = {0};
    write_model(&model, &device->facts);
    write_release(&release, &device->facts);
    dj_text_format(text, "%s ", event);
    dj_text_append_escaped_name(text, device->name);
    dj_text_format(text, " %s", device->facts.state);
    if (model.length > 0) {
        dj_text_append_any_name(text, " ", dj_xtext(&model), "");
    }
    if (release.length > 0) {
        dj_text_append_any_name(text, ", ", dj_xtext(&release), "");
    }
    dj_text_add(text, "\n");
    dj_text_finish(&model);
    dj_text_finish(&release);
    write_obstacles(text, device);
}
