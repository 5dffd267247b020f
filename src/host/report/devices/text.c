#include "report/devices.h"

#include <string.h>

#include "memory/memory.h"
#include "report/terminal/table.h"

static void put_model(struct dj_text *cell, const struct dj_device_facts *facts)
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

static void put_release(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->api > 0) {
        dj_text_format(cell, "Android %s (API %d)", facts->release, facts->api);
    } else {
        dj_text_add(cell, facts->release);
    }
}

static void put_screen(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->width_px > 0) {
        dj_text_format(cell, "%dx%d", facts->width_px, facts->height_px);
    }
    if (facts->density_dpi > 0) {
        dj_text_format(cell, "%s%d dpi", cell->length > 0 ? " " : "", facts->density_dpi);
    }
}

/* "60 of 60/90/120", or what is known of it. */
static void put_rates(struct dj_text *cell, const struct dj_device_facts *facts)
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

static void put_cpu(struct dj_text *cell, const struct dj_device_facts *facts)
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

/* Of "Qualcomm, Adreno (TM) 650, OpenGL ES 3.2 V@…" the part between the commas. */
static void put_gpu(struct dj_text *cell, const struct dj_device_facts *facts)
{
    const char *comma = strchr(facts->gpu, ',');
    const char *name = comma != NULL ? comma + 1 + strspn(comma + 1, " ") : facts->gpu;
    dj_text_append(cell, name, strcspn(name, ","));
}

static void put_battery(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->battery_pct >= 0) {
        dj_text_format(cell, "%d %%%s", facts->battery_pct,
                       facts->charging == DJ_KNOWN_YES ? "+" : "");
    }
}

static void put_heat(struct dj_text *cell, const struct dj_device_facts *facts)
{
    double heat_c = facts->skin_c > -100 ? facts->skin_c : facts->battery_c;
    if (heat_c > -100) {
        dj_text_format(cell, "%.0f °C", heat_c);
    }
}

static void put_now(struct dj_text *cell, const struct dj_device_facts *facts)
{
    const char *screen = facts->screen_on == DJ_KNOWN_YES  ? "on"
                         : facts->screen_on == DJ_KNOWN_NO ? "off"
                                                           : "";
    const char *lock = facts->locked == DJ_KNOWN_YES ? "locked" : "";
    dj_text_format(cell, "%s%s%s", screen,
                   screen[0] != '\0' && lock[0] != '\0' ? ", " : "", lock);
}

static void put_ram(struct dj_text *cell, const struct dj_device_facts *facts)
{
    if (facts->ram_bytes > 0) {
        dj_text_format(cell, "%.1f GiB", (double)facts->ram_bytes / 1073741824.0);
    }
}

/* The columns: values from adb or the user, then the device's facts, then its condition.
 */
static const struct {
    struct dj_text_table_column column;
    void (*put)(struct dj_text *cell, const struct dj_device_facts *facts);
} cells[] = {
    {{"MODEL", false}, put_model},   {{"RELEASE", false}, put_release},
    {{"SCREEN", false}, put_screen}, {{"HZ", false}, put_rates},
    {{"RAM", true}, put_ram},        {{"CPU", false}, put_cpu},
    {{"GPU", false}, put_gpu},       {{"BATTERY", true}, put_battery},
    {{"HEAT", true}, put_heat},      {{"NOW", false}, put_now},
};
enum { CELLS = COUNT_OF(cells), FIRST = 2 };

static void add_row(struct dj_text_table *table, const struct dj_inquired_device *device,
                    const bool *shown)
{
    struct dj_text cell = {0};
    dj_table_add(table, device->name);
    dj_table_add(table,
                 device->error.code == DJ_E_TIMEOUT ? "silent" : device->facts.state);
    for (size_t i = 0; i < CELLS; i++) {
        dj_text_clear(&cell);
        cells[i].put(&cell, &device->facts);
        if (shown[i]) {
            dj_table_add(table, cell.length > 0 ? dj_xtext(&cell) : NULL);
        }
    }
    dj_text_finish(&cell);
}

/* Omits columns without a value. */
static void choose_columns(const struct dj_inquired_device *devices, size_t count,
                           bool *shown)
{
    struct dj_text cell = {0};
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < CELLS; i++) {
            dj_text_clear(&cell);
            cells[i].put(&cell, &devices[k].facts);
            shown[i] = shown[i] || cell.length > 0;
        }
    }
    dj_text_finish(&cell);
}

static void put_obstacles(struct dj_text *text, const struct dj_inquired_device *device)
{
    for (size_t i = 0; i < device->obstacle_count; i++) {
        const struct dj_device_obstacle *obstacle = &device->obstacles[i];
        dj_text_append_any_name(text, obstacle->blocks ? "  blocked  " : "  noted    ",
                                obstacle->says, "\n");
        if (obstacle->command[0] != '\0') {
            dj_text_append_any_name(text, "           ", obstacle->command, "\n");
        }
    }
}

static void put_table(struct dj_text *text, const struct dj_inquired_device *devices,
                      size_t count)
{
    struct dj_text_table_column columns[FIRST + CELLS] = {{"DEVICE", false},
                                                          {"STATE", false}};
    bool shown[CELLS] = {false};
    size_t column_count = FIRST;
    struct dj_text_table table;
    choose_columns(devices, count, shown);
    for (size_t i = 0; i < CELLS; i++) {
        if (shown[i]) {
            columns[column_count++] = cells[i].column;
        }
    }
    dj_table_init(&table, columns, column_count);
    for (size_t i = 0; i < count; i++) {
        add_row(&table, &devices[i], shown);
    }
    dj_table_append(&table, "", text);
    dj_table_finish(&table);
}

void dj_report_devices_text(struct dj_text *text,
                            const struct dj_inquired_device *devices, size_t count)
{
    put_table(text, devices, count);
    for (size_t i = 0; i < count; i++) {
        if (devices[i].obstacle_count > 0) {
            dj_text_append_any_name(text, "\n", devices[i].name, "\n");
            put_obstacles(text, &devices[i]);
        }
    }
}

void dj_report_device_event_text(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device)
{
    struct dj_text model = {0}, release = {0};
    put_model(&model, &device->facts);
    put_release(&release, &device->facts);
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
    put_obstacles(text, device);
}
