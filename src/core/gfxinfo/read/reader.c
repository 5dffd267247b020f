#include "gfxinfo/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/read/reader.h"
#include "gfxinfo/release.h"
#include "gfxinfo/scan.h"

struct dj_place dj_reader_get_place(const struct dj_reader *reader)
{
    return (struct dj_place){reader->line, reader->span_byte +
                                               (size_t)(reader->line_at - reader->span)};
}

static void warn(struct dj_reader *reader, struct dj_place place, const char *format,
                 va_list arguments)
{
    struct dj_parse_report *report = reader->report;
    if (report->warning_count < DJ_PARSE_WARNINGS) {
        struct dj_parse_warning *warning = &report->warning[report->warning_count];
        warning->line = place.line;
        warning->byte = place.byte;
        int part = report->part == NULL
                       ? 0
                       : snprintf(warning->message, sizeof(warning->message),
                                  "%.60s: ", report->part);
        vsnprintf(warning->message + part, sizeof(warning->message) - (size_t)part,
                  format, arguments);
    }
    report->warning_count++;
}

void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    warn(reader, dj_reader_get_place(reader), format, arguments);
    va_end(arguments);
}

void dj_reader_warn_at(struct dj_reader *reader, struct dj_place place,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    warn(reader, place, format, arguments);
    va_end(arguments);
}

void dj_reader_append(struct dj_reader *reader, struct dj_text *text, struct dj_str more)
{
    dj_text_append(text, more.at, more.length);
    reader->failed = reader->failed || text->failed;
}

void dj_reader_begin_dump(struct dj_reader *reader)
{
    *reader->dump = (struct dj_dump){.uptime_ms = -1, .realtime_ms = -1};
    reader->window_count = 0;
    reader->rows_stored = 0;
    reader->text_stored = 0;
}

void dj_reader_end_dump(struct dj_reader *reader)
{
    struct dj_dump *dump = reader->dump;
    if (dump->process_count > 0) {
        /* A text may have several dumps. If one of them has a process, messages about
         * missing processes are ignored. */
        free(dump->not_found);
        dump->not_found = NULL;
    }
    dj_gfxinfo_dump_find_bounds(dump);
    dj_release_infer(dump, reader->stated_releases);
}

void dj_reader_emit_dump(struct dj_reader *reader)
{
    struct dj_dump *dump = reader->dump;
    bool empty = dump->process_count == 0 && dump->graphicsstats_count == 0 &&
                 dump->davey_count == 0 && dump->not_found == NULL;
    if (reader->callback == NULL || reader->failed) {
        return;
    }
    dj_surface_close(reader);
    reader->surface.block = 0;
    empty = empty && dump->surfaces.count == 0;
    if (!empty) {
        dj_reader_end_dump(reader);
        reader->callback_result = reader->callback_result != 0
                                      ? reader->callback_result
                                      : reader->callback(reader->callback_data, dump);
        dj_gfxinfo_dump_finish(dump);
    }
    dj_reader_begin_dump(reader);
}

/* Keeps the uptime for the next dump, because later processes of the same dump have the
 * same uptime. */
void dj_reader_emit_partial_dump(struct dj_reader *reader)
{
    int64_t uptime_ms = reader->dump->uptime_ms;
    int64_t realtime_ms = reader->dump->realtime_ms;
    dj_reader_emit_dump(reader);
    if (reader->callback != NULL) {
        reader->dump->uptime_ms = uptime_ms;
        reader->dump->realtime_ms = realtime_ms;
    }
}

/* Moves the text outside windows from `part` to the part `next` of the same process, so
 * that finally the last part contains it. */
static void begin_next_part(struct dj_dump_process *next, struct dj_dump_process *part)
{
    next->continues = true;
    next->pid = part->pid;
    next->pipeline = part->pipeline;
    next->sections = part->sections;
    next->section_count = part->section_count;
    next->name = part->name != NULL ? strdup(part->name) : NULL;
    part->unfinished = true;
    part->pipeline = NULL;
    part->sections = NULL;
    part->section_count = 0;
}

/* Emits the windows of the current process read so far, because there are too many to
 * store. The process continues in the next dump. */
static void emit_part(struct dj_reader *reader)
{
    struct dj_dump rest = {.uptime_ms = reader->dump->uptime_ms,
                           .realtime_ms = reader->dump->realtime_ms};
    struct dj_dump_process *next = dj_gfxinfo_dump_add_process(&rest);
    dj_reader_close_section(reader);
    if (next == NULL) {
        reader->failed = true;
        return;
    }
    begin_next_part(next, reader->process);
    reader->failed =
        reader->failed || (next->name == NULL && reader->process->name != NULL);
    dj_reader_emit_dump(reader);
    if (reader->failed) {
        dj_gfxinfo_dump_finish(&rest);
        return;
    }
    *reader->dump = rest;
    reader->process = next;
}

void dj_reader_close_block(struct dj_reader *reader)
{
    dj_reader_close_histogram(reader);
    dj_reader_flush_rows(reader);
    dj_reader_close_framestats(reader);
    reader->state = DJ_READING_LINES;
}

void dj_reader_close_process(struct dj_reader *reader)
{
    dj_reader_close_block(reader);
    dj_reader_close_name(reader);
    dj_reader_close_section(reader);
    dj_reader_close_entry(reader);
    dj_reader_close_davey(reader);
    if (reader->process != NULL) {
        dj_reader_apply_notes(reader->process);
    }
    reader->process = NULL;
    reader->window = NULL;
    reader->expected_text = NULL;
    reader->in_windows = false;
    reader->in_hierarchy = false;
    free(reader->root);
    reader->root = NULL;
    reader->text_stored += reader->section_bytes;
    reader->section_bytes = 0;
    if (reader->rows_stored > DJ_PARSE_ROWS_PER_DUMP ||
        reader->text_stored > DJ_PARSE_TEXT_PER_DUMP) {
        dj_reader_emit_partial_dump(reader);
    }
}

struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader)
{
    dj_reader_close_process(reader);
    if (reader->dump->process_count >= DJ_READER_PROCESSES) {
        dj_reader_emit_partial_dump(reader);
    }
    if (reader->dump->process_count >= DJ_READER_PROCESSES) {
        dj_reader_warn(reader, "more than %d processes: this process is ignored",
                       DJ_READER_PROCESSES);
        return NULL;
    }
    dj_surface_close(reader);
    reader->seen = true;
    reader->process = dj_gfxinfo_dump_add_process(reader->dump);
    reader->failed = reader->failed || reader->process == NULL;
    return reader->process;
}

struct dj_dump_process *dj_reader_process(struct dj_reader *reader)
{
    return reader->process != NULL ? reader->process : dj_reader_next_process(reader);
}

struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader)
{
    dj_reader_close_block(reader);
    reader->window = NULL;
    struct dj_dump_process *process = dj_reader_process(reader);
    if (process == NULL) {
        return NULL;
    }
    if (reader->callback != NULL && (reader->rows_stored > DJ_PARSE_ROWS_PART ||
                                     reader->window_count >= DJ_READER_WINDOWS)) {
        emit_part(reader);
        process = reader->process;
        if (reader->failed) {
            return NULL;
        }
    }
    if (reader->window_count >= DJ_READER_WINDOWS) {
        dj_reader_warn(reader, "more than %d windows: this window is ignored",
                       DJ_READER_WINDOWS);
        return NULL;
    }
    reader->window_count++;
    reader->window = dj_gfxinfo_dump_add_window(process);
    reader->failed = reader->failed || reader->window == NULL;
    return reader->window;
}

struct dj_dump_window *dj_reader_window(struct dj_reader *reader)
{
    return reader->window != NULL ? reader->window : dj_reader_next_window(reader);
}

/* Returns the length of a name without trailing blanks. If a failure message follows the
 * name on the same line, the name ends before the message. */
static size_t find_name_length(const char *name, size_t length)
{
    const char *failure = dj_reader_find_failure((struct dj_str){name, length});
    length = failure != NULL ? (size_t)(failure - name) : length;
    while (length > 0 && dj_scan_is_blank(name[length - 1])) {
        length--;
    }
    return length;
}

/* Replaces NUL and CR, which a C string or a line cannot contain, with blanks. Removes
 * blanks at both ends, because these may be indentation. */
void dj_reader_set_string(struct dj_reader *reader, char **string, struct dj_str slice)
{
    char *copy = malloc(slice.length + 1);
    if (copy == NULL) {
        reader->failed = true;
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < slice.length; i++) {
        char c = slice.at[i] == '\0' || slice.at[i] == '\r' ? ' ' : slice.at[i];
        if (length > 0 || !dj_scan_is_blank(c)) {
            copy[length++] = c;
        }
    }
    copy[find_name_length(copy, length)] = '\0';
    free(*string);
    *string = copy;
}
