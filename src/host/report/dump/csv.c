#include "report/dump/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "import/parsed_dump.h"
#include "memory/memory.h"
#include "report/dump/windows.h"

static const char *const names_before[] = {"source", "pid", "process", "window"};
static const char *const names_after[] = {"total_ns", "guide_total_ns", "janky",
                                          "usable"};

enum { NAMES = 4 };

static bool is_known_name(const char *name)
{
    enum dj_column column;
    bool taken = dj_frame_column_find(name, strlen(name), &column);
    for (size_t i = 0; i < NAMES; i++) {
        taken = taken || strcmp(name, names_before[i]) == 0 ||
                strcmp(name, names_after[i]) == 0;
    }
    return taken;
}

/* Returns the index of the column with this name. Adds the column if it is new. Returns
 * extra_count if the table is full. */
static size_t find_or_add_extra(struct dj_dump_csv *csv, const struct dj_text *text,
                                const char *name)
{
    size_t i = 0;
    while (i < csv->extra_count && strcmp(csv->extra_columns[i].name, name) != 0) {
        i++;
    }
    if (i == csv->extra_count && !csv->settled && i < DJ_DUMP_CSV_EXTRA_COLUMNS) {
        csv->extra_columns[csv->extra_count++] =
            (struct dj_csv_extra_column){dj_xstrdup(name), text->length};
    }
    return i;
}

/* For each extra column of the CSV, finds the index of the column in the window. The
 * index is SIZE_MAX if the window does not have the column. */
static void map_extra_columns(struct dj_dump_csv *csv, const struct dj_text *text,
                              const struct dj_dump_window *window,
                              size_t vendor[DJ_DUMP_CSV_EXTRA_COLUMNS])
{
    for (size_t i = 0; i < DJ_DUMP_CSV_EXTRA_COLUMNS; i++) {
        vendor[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < window->vendor_count; i++) {
        size_t other = find_or_add_extra(csv, text, window->vendor[i].name);
        if (other == csv->extra_count) {
            csv->lost++;
        } else if (vendor[other] == SIZE_MAX) {
            vendor[other] = i;
        }
    }
}

/* Appends a cell with a number. The cell is empty if the value is unknown. */
static void append_number(struct dj_text *text, bool known, int64_t value)
{
    dj_text_append(text, ",", 1);
    if (known) {
        dj_text_append_int(text, value);
    }
}

static void append_extra_columns(struct dj_text *text, const struct dj_dump_csv *csv,
                                 const struct dj_dump_window *window,
                                 const size_t *vendor, size_t row)
{
    size_t first = row * window->vendor_count;
    for (size_t i = 0; i < csv->extra_count; i++) {
        struct dj_number number = {0};
        if (vendor[i] != SIZE_MAX) {
            number = window->vendor_values[first + vendor[i]];
        }
        append_number(text, number.known, number.value);
    }
}

static void append_values(struct dj_text *text, const struct dj_frame *frame,
                          const struct dj_row_facts *row)
{
    int64_t guide_total_ns = 0;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        append_number(text, dj_frame_has(frame, (enum dj_column)i), frame->value[i]);
    }
    bool known = dj_parsed_compute_guide_total(frame, &guide_total_ns);
    append_number(text, row->judged, row->frame_time_ns);
    append_number(text, known, guide_total_ns);
    append_number(text, row->judged, row->janky);
    append_number(text, true, row->usability == DJ_ROW_USABLE);
}

/* Appends the cells with names, which precede the numbers and are the same in every row
 * of a window. */
static void append_names(struct dj_text *names, const struct dj_parsed *parsed,
                         const struct dj_dump_process *process,
                         const struct dj_dump_window *window)
{
    dj_csv_append_cell(names, parsed->source, 0);
    append_number(names, process->pid >= 0, process->pid);
    dj_text_append(names, ",", 1);
    dj_csv_append_cell(names, process->name, 0);
    dj_text_append(names, ",", 1);
    dj_csv_append_cell(names, dj_parsed_get_window_title(window), 0);
}

struct output {
    struct dj_dump_csv *csv;
    struct dj_text *text;
};

static size_t append_window(void *context, const struct dj_parsed *parsed,
                            const struct dj_dump_process *process,
                            const struct dj_dump_window *window,
                            const struct dj_window_facts *facts)
{
    const struct output *output = context;
    struct dj_text *text = output->text;
    struct dj_text names = {0};
    size_t extra_columns[DJ_DUMP_CSV_EXTRA_COLUMNS];
    /* Rows without the required columns are omitted, because their empty cells would look
     * like unknown values. Log lines have no header, so they only need both ends of the
     * frame. */
    uint64_t required = window->columns.count > 0
                            ? dj_gfxinfo_dump_required_columns(process, window)
                            : DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                  DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);
    size_t rows = 0;
    append_names(&names, parsed, process, window);
    map_extra_columns(output->csv, text, window, extra_columns);
    for (size_t i = 0; i < window->frame_count; i++) {
        if (dj_frame_has_all(&window->frames[i], required)) {
            dj_text_add(text, dj_xtext(&names));
            append_values(text, &window->frames[i], &facts->rows[i]);
            append_extra_columns(text, output->csv, window, extra_columns, i);
            dj_text_append(text, "\n", 1);
            rows++;
        }
    }
    dj_text_finish(&names);
    return rows;
}

size_t dj_report_write_dump_csv_rows(struct dj_dump_csv *csv, struct dj_text *text,
                                     const struct dj_parsed *parsed)
{
    return dj_parsed_visit_windows(parsed, append_window, &(struct output){csv, text});
}

static void append_header(const struct dj_dump_csv *csv, struct dj_text *text)
{
    for (size_t i = 0; i < NAMES; i++) {
        dj_text_format(text, "%s%s", i == 0 ? "" : ",", names_before[i]);
    }
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        dj_text_format(text, ",%s", dj_frame_column_name((enum dj_column)i));
    }
    for (size_t i = 0; i < NAMES; i++) {
        dj_text_format(text, ",%s", names_after[i]);
    }
    for (size_t i = 0; i < csv->extra_count; i++) {
        struct dj_text name = {0};
        const char *own = csv->extra_columns[i].name;
        dj_text_format(&name, "%s%s", own[0] != '\0' ? own : "unnamed",
                       is_known_name(own) ? "_other" : "");
        dj_text_append(text, ",", 1);
        dj_csv_append_cell(text, dj_xtext(&name), DJ_CSV_ONE_LINE);
        dj_text_finish(&name);
    }
    dj_text_append(text, "\n", 1);
}

/* Returns the end of the CSV row at `at`, after its newline. A newline in quotes is part
 * of a cell and does not end the row. */
static const char *find_row_end(const char *at, const char *end)
{
    bool quoted = false;
    while (at < end && (quoted || *at != '\n')) {
        quoted = quoted != (*at == '"');
        at++;
    }
    return at < end ? at + 1 : end;
}

/* Appends each row with an empty cell for every column that appeared after the row was
 * written. */
static void append_rows(const struct dj_dump_csv *csv, struct dj_text *out,
                        const struct dj_text *rows)
{
    const char *first = dj_xtext(rows);
    const char *end = first + rows->length;
    size_t known = 0;
    for (const char *at = first; at < end;) {
        while (known < csv->extra_count &&
               csv->extra_columns[known].rows_before <= (size_t)(at - first)) {
            known++;
        }
        if (known == csv->extra_count) {
            dj_text_append(out, at, (size_t)(end - at));
            return;
        }
        const char *next = find_row_end(at, end);
        dj_text_append(out, at, (size_t)(next - at) - 1);
        for (size_t i = known; i < csv->extra_count; i++) {
            dj_text_append(out, ",", 1);
        }
        dj_text_append(out, "\n", 1);
        at = next;
    }
}

void dj_report_insert_dump_csv_header(struct dj_dump_csv *csv, struct dj_text *text)
{
    struct dj_text whole = {0};
    if (csv->settled) {
        return;
    }
    append_header(csv, &whole);
    append_rows(csv, &whole, text);
    dj_text_finish(text);
    *text = whole;
    csv->settled = true;
}

void dj_report_finish_dump_csv(struct dj_dump_csv *csv)
{
    for (size_t i = 0; i < csv->extra_count; i++) {
        free(csv->extra_columns[i].name);
    }
    *csv = (struct dj_dump_csv){0};
}

void dj_report_write_profile_csv_header(struct dj_text *text)
{
    dj_text_add(text, "source,pid,process,window,Draw,Prepare,Process,Execute\n");
}

static void append_ms(struct dj_text *text, float ms)
{
    dj_text_append(text, ",", 1);
    if (ms >= 0) {
        dj_text_format(text, "%.2f", (double)ms);
    }
}

static size_t append_profile_window(void *context, const struct dj_parsed *parsed,
                                    const struct dj_dump_process *process,
                                    const struct dj_dump_window *window,
                                    const struct dj_window_facts *facts)
{
    (void)facts;
    struct dj_text *text = context;
    struct dj_text names = {0};
    size_t rows = 0;
    append_names(&names, parsed, process, window);
    for (size_t i = 0; i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        /* Incomplete rows are omitted. In the simple dump of 4.x, a row is complete
         * without the column Prepare. */
        if (row->draw_ms < 0 || row->process_ms < 0 || row->execute_ms < 0 ||
            (row->prepare_ms < 0 && !window->profile_lacks_prepare)) {
            continue;
        }
        dj_text_add(text, dj_xtext(&names));
        append_ms(text, row->draw_ms);
        append_ms(text, row->prepare_ms);
        append_ms(text, row->process_ms);
        append_ms(text, row->execute_ms);
        dj_text_append(text, "\n", 1);
        rows++;
    }
    dj_text_finish(&names);
    return rows;
}

size_t dj_report_write_profile_csv_rows(struct dj_text *text,
                                        const struct dj_parsed *parsed)
{
    return dj_parsed_visit_windows(parsed, append_profile_window, text);
}
