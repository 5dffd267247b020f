#include "base/json.h"
#include "memory/memory.h"
#include "report/dump/dump.h"

static void write_recount(struct dj_text *text, const struct dj_dump_recount *recount)
{
    if (recount->from == NULL) {
        dj_json_add_null(text, "recounted");
        return;
    }
    dj_json_open_object(text, "recounted");
    dj_json_add_string(text, "from", recount->from->name);
    dj_json_add_string(text, "to", recount->to->name);
    dj_json_add_int(text, "kept_frames", (int64_t)recount->kept);
    dj_json_add_int(text, "counted_frames", (int64_t)recount->counted);
    dj_json_close(text, "}");
}

static void write_notes(struct dj_text *text, const struct dj_dump_process *process)
{
    dj_json_add_known(text, "frame_interval_ns",
                      process->interval_ns > 0 ? process->interval_ns : -1);
    dj_json_add_bool(text, "frame_interval_assumed", process->interval_assumed);
    dj_json_open_array(text, "not_recorded");
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if ((process->not_recorded & DJ_COLUMN_BIT(i)) != 0) {
            dj_json_append_string(text, dj_frame_column_name((enum dj_column)i));
        }
    }
    dj_json_close(text, "]");
    dj_json_add_int(text, "dropped_frames", (int64_t)process->dropped);
    dj_json_add_known(text, "recovered_frames",
                      process->expected >= 0 ? process->recovered : -1);
    dj_json_add_known(text, "expected_frames", process->expected);
    write_recount(text, &process->recount);
    dj_json_add_string(text, "recording_stopped", process->disabled);
    dj_json_add_string(text, "collection_stopped", process->cut_short);
    dj_json_add_bool(text, "ended", process->ended);
}

static void write_sections(struct dj_text *text, const struct dj_dump_process *process)
{
    dj_json_open_array(text, "other_sections");
    for (size_t i = 0; i < process->section_count; i++) {
        const struct dj_dump_section *section = &process->sections[i];
        char title[DJ_SECTION_TITLE];
        dj_json_open_object(text, NULL);
        dj_json_add_int(text, "line", (int64_t)section->line);
        dj_json_add_string(text, "title", dj_gfxinfo_dump_section_title(section, title));
        dj_json_add_string(text, "text", section->text);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

/* Appends a process. A process with very many windows arrives in several dumps, so its
 * JSON object may stay open. */
static void write_process(struct dj_text *text, const struct dj_parsed *parsed,
                          size_t index, bool rows)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    if (!process->continues) {
        const struct dj_dialect *release = dj_import_dump_get_release(parsed, process);
        dj_json_open_object(text, NULL);
        dj_json_add_known(text, "pid", process->pid);
        dj_json_add_string(text, "name", process->name);
        dj_json_add_string(text, "release", release != NULL ? release->name : NULL);
        dj_json_add_known(text, "uptime_ms", parsed->dump.uptime_ms);
        dj_json_add_known(text, "realtime_ms", parsed->dump.realtime_ms);
        dj_report_write_json_stats(text, &process->stats);
        dj_json_open_array(text, "windows");
    }
    for (size_t i = 0; i < process->window_count; i++) {
        dj_report_write_json_window(text, dj_gfxinfo_dump_dialect(&parsed->dump, process),
                                    &process->windows[i],
                                    &parsed->processes[index].windows[i], rows);
    }
    if (!process->unfinished) {
        dj_json_close(text, "]");
        dj_json_add_string(text, "pipeline", process->pipeline);
        write_sections(text, process);
        write_notes(text, process);
        dj_json_close(text, "}");
    }
}

static void write_graphicsstats(struct dj_text *text,
                                const struct dj_graphicsstats *entry)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "package", entry->package);
    dj_json_add_known(text, "version", entry->version);
    dj_json_add_known(text, "uid", entry->uid);
    dj_json_add_known(text, "start_ms", entry->start_ms);
    dj_json_add_known(text, "end_ms", entry->end_ms);
    dj_report_write_json_stats(text, &entry->stats);
    dj_json_close(text, "}");
}

static void write_davey(struct dj_text *text, const struct dj_davey *davey)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "line", (int64_t)davey->line);
    dj_json_add_known(text, "pid", davey->pid);
    dj_json_add_int(text, "duration_ms", davey->duration_ms);
    dj_json_open_object(text, "columns");
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if (dj_frame_has(&davey->frame, (enum dj_column)i)) {
            dj_json_add_int(text, dj_frame_column_name((enum dj_column)i),
                            davey->frame.value[i]);
        }
    }
    for (size_t i = 0; i < davey->other_count; i++) {
        dj_json_add_int(text, davey->others[i].name, davey->others[i].value);
    }
    dj_json_close(text, "}}");
}

static void write_diagnostic(struct dj_text *text, size_t line, size_t byte,
                             const char *severity, const char *message)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "line", (int64_t)line);
    dj_json_add_int(text, "byte", (int64_t)byte);
    dj_json_add_string(text, "severity", severity);
    dj_json_add_string(text, "message", message);
    dj_json_close(text, "}");
}

static void write_diagnostics(struct dj_text *text, const struct dj_dump_input *input)
{
    const struct dj_parse_report *report = &input->report;
    size_t kept = report->warning_count < DJ_PARSE_WARNINGS ? report->warning_count
                                                            : DJ_PARSE_WARNINGS;
    dj_json_open_array(text, "diagnostics");
    for (size_t i = 0; i < kept; i++) {
        write_diagnostic(text, report->warning[i].line, report->warning[i].byte,
                         "warning", report->warning[i].message);
    }
    if (input->broken.code != 0 && input->dumps > 0 && input->outcome == DJ_OUTCOME_OK) {
        write_diagnostic(text, report->lines, report->bytes, "error",
                         input->broken.message);
    }
    if (input->outcome != DJ_OUTCOME_OK) {
        write_diagnostic(text, input->error_line, input->error_byte, "error",
                         input->error.message);
    }
    dj_json_close(text, "]");
    dj_json_add_int(text, "diagnostics_omitted", (int64_t)(report->warning_count - kept));
}

/* Returns a text that says how the release of the input is known, or NULL if the release
 * is unknown. */
static const char *get_release_source(const struct dj_dump_input *input)
{
    bool stated = (input->evidence.hints & DJ_HINT_FINGERPRINT) != 0;
    if (input->dialect == NULL) {
        return NULL;
    }
    return input->release != NULL ? "option" : stated ? "fingerprint" : "inferred";
}

static void write_release(struct dj_text *text, const struct dj_dump_input *input)
{
    struct dj_text evidence = {0};
    dj_gfxinfo_release_describe(&evidence, &input->evidence);
    dj_json_add_string(text, "release",
                       input->dialect != NULL ? input->dialect->name : NULL);
    dj_json_add_bool(text, "release_inferred", input->dialect_inferred);
    dj_json_add_string(text, "release_source", get_release_source(input));
    dj_json_add_string(text, "release_evidence",
                       evidence.length > 0 ? dj_xtext(&evidence) : NULL);
    dj_json_open_array(text, "release_candidates");
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        if ((input->evidence.fitting & (UINT32_C(1) << i)) != 0) {
            dj_json_append_string(text, dj_frame_dialect_at(i)->name);
        }
    }
    dj_json_close(text, "]");
    dj_text_finish(&evidence);
}

static void write_collected(struct dj_text *text, const char *key,
                            struct dj_text *elements)
{
    dj_json_open_array(text, key);
    dj_text_add(text, dj_xtext(elements));
    dj_json_close(text, "]");
    dj_text_finish(elements);
}

void dj_report_open_json(struct dj_text *text)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.parse/1");
    dj_json_open_array(text, "inputs");
}

void dj_report_begin_json_input(struct dj_text *text, const char *source)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "source", source);
    dj_json_open_array(text, "processes");
}

void dj_report_write_json_dump(struct dj_text *text, struct dj_dump_json *json,
                               const struct dj_parsed *parsed, bool rows)
{
    const struct dj_dump *dump = &parsed->dump;
    for (size_t i = 0; i < dump->process_count; i++) {
        write_process(text, parsed, i, rows);
    }
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        write_graphicsstats(&json->graphicsstats, &dump->graphicsstats[i]);
    }
    for (size_t i = 0; i < dump->davey_count; i++) {
        write_davey(&json->daveys, &dump->daveys[i]);
    }
    for (size_t i = 0; i < dump->surfaces.count; i++) {
        dj_report_write_json_surface(&json->surfaces, &dump->surfaces.at[i]);
    }
}

void dj_report_end_json_input(struct dj_text *text, struct dj_dump_json *json,
                              const struct dj_dump_input *input)
{
    dj_json_close(text, "]");
    write_collected(text, "graphicsstats", &json->graphicsstats);
    write_collected(text, "daveys", &json->daveys);
    write_collected(text, "surfaces", &json->surfaces);
    write_release(text, input);
    dj_json_add_string(text, "outcome", dj_import_outcome_get_name(input->outcome));
    write_diagnostics(text, input);
    dj_json_close(text, "}");
}

void dj_report_close_json(struct dj_text *text)
{
    dj_json_close(text, "]}\n");
}
