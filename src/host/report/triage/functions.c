#include "report/triage/functions.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/units.h"

/* Maximum number of functions in a sentence. */
enum { NAMED_MOST = 3 };

static double to_ms(double ns)
{
    return ns / 1e6;
}

static const char *get_name(const struct dj_calls_tree *calls, uint32_t node)
{
    return calls->functions[calls->nodes[node].function].name;
}

/* Returns the name of the file without its folder. */
static const char *get_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Returns the nodes from `node` outwards to `last`, the innermost first, and their
 * number. `last` may be DJ_CALLS_ROOT, which is not included. */
static size_t list_callers(const struct dj_calls_tree *calls, uint32_t node,
                           uint32_t last, uint32_t path[DJ_CALLS_DEPTH_MAX])
{
    size_t count = 0;
    for (; node != DJ_CALLS_ROOT && count < DJ_CALLS_DEPTH_MAX;
         node = calls->nodes[node].parent) {
        path[count++] = node;
        if (node == last) {
            break;
        }
    }
    return count;
}

void dj_report_describe_file(struct dj_text *text, const char *path)
{
    dj_text_append_name(text, " (", get_file_name(path), ")");
}

/* Appends "`text` > `shape`" for a chain, and else the name of the function. */
static void add_chain(struct dj_text *text, const struct dj_calls_tree *calls,
                      const struct dj_triage_function *function)
{
    uint32_t path[DJ_CALLS_DEPTH_MAX];
    size_t count = list_callers(calls, function->chain_last, function->node, path);
    for (size_t i = count; i-- > 0;) {
        dj_text_format(text, "`%s`%s", get_name(calls, path[i]), i > 0 ? " > " : "");
    }
}

static void describe_found(struct dj_text *text, const struct dj_calls_tree *calls,
                           const struct dj_triage_functions *functions)
{
    size_t count = functions->count < NAMED_MOST ? functions->count : NAMED_MOST;
    dj_text_add(text, " Per janky frame, ");
    for (size_t i = 0; i < count; i++) {
        const struct dj_triage_function *function = &functions->all[i];
        dj_text_add(text, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        add_chain(text, calls, function);
        if (function->function->named) {
            dj_report_describe_file(text, function->function->module);
        }
        dj_text_format(text,
                       " took %.1f" DJ_NBSP "ms more (95" DJ_NBSP
                       "%% CI %+.1f … %+.1f" DJ_NBSP "ms)",
                       to_ms(function->extra_ns), to_ms(function->low_ns),
                       to_ms(function->high_ns));
    }
    dj_text_add(text, functions->smooth_frames > 0 ? " than in smooth frames." : ".");
}

void dj_report_describe_functions(struct dj_text *text,
                                  const struct dj_triage_result *result,
                                  const struct dj_triage_cause *cause)
{
    const struct dj_triage_functions *functions = cause->functions;
    if (functions == NULL) {
        return;
    }
    if (functions->too_few) {
        dj_text_format(text,
                       " dejank cannot name the functions of this work: %zu janky and "
                       "%zu smooth frames are too few (at least %d of each).",
                       functions->janky_frames, functions->smooth_frames,
                       DJ_CALLS_FRAMES_LEAST);
    } else if (functions->count == 0) {
        dj_text_add(text, " No function took clearly more time than in smooth frames.");
    } else {
        describe_found(text, result->calls, functions);
    }
}

struct function_row {
    const struct dj_triage_function *function;
    const struct dj_calls_tree *calls;
    size_t rank;
};

static const struct dj_triage_function *get_function(const void *record)
{
    return ((const struct function_row *)record)->function;
}

static void get_rank(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", ((const struct function_row *)record)->rank);
}

static void get_function_name(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_function(record)->function->name);
}

static void get_module(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_file_name(get_function(record)->function->module));
}

static void get_build_id(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%.12s", get_function(record)->function->build_id);
}

static void get_extra(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, to_ms(get_function(record)->extra_ns), 2);
}

static void get_interval(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%.2f … %.2f", to_ms(get_function(record)->low_ns),
                   to_ms(get_function(record)->high_ns));
}

static void get_frames(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_function(record)->frames);
}

static void get_samples(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_function(record)->samples);
}

static void get_named(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%.0f", 100 * get_function(record)->named);
}

static void get_guessed(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%.0f", 100 * get_function(record)->guessed);
}

static const struct dj_table_column columns[] = {
    {"cause", NULL, true, get_rank},    {"function", NULL, false, get_function_name},
    {"extra", "ms", true, get_extra},   {"95 % CI", "ms", true, get_interval},
    {"frames", NULL, true, get_frames}, {"samples", NULL, true, get_samples},
};

static const struct dj_table_column detail_columns[] = {
    {"cause", NULL, true, get_rank},   {"function", NULL, false, get_function_name},
    {"named", "%", true, get_named},   {"guessed", "%", true, get_guessed},
    {"file", NULL, false, get_module}, {"build-id", NULL, false, get_build_id},
};

/* Adds a table of the functions of all causes. Returns false if there are none. */
static bool add_table(struct dj_document *document, const struct dj_triage_result *result,
                      const struct dj_table_column *of, size_t column_count)
{
    bool begun = false;
    for (size_t i = 0; i < result->cause_count; i++) {
        const struct dj_triage_functions *functions = result->causes[i].functions;
        for (size_t k = 0; functions != NULL && k < functions->count; k++) {
            if (!begun) {
                dj_document_begin_table(document, of, column_count);
                begun = true;
            }
            dj_document_add_row(document, &(struct function_row){&functions->all[k],
                                                                 result->calls, i + 1});
        }
    }
    return begun;
}

static bool has_functions(const struct dj_triage_result *result)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        const struct dj_triage_functions *functions = result->causes[i].functions;
        if (functions != NULL && functions->count > 0) {
            return true;
        }
    }
    return false;
}

void dj_report_add_functions(struct dj_document *document,
                             const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    if (!has_functions(result)) {
        return;
    }
    dj_document_add_heading(document, 3, "Functions that took the extra time");
    add_table(document, result, columns, COUNT_OF(columns));
    dj_text_add(&words,
                "extra: mean time of the function per janky frame, minus its mean time "
                "per smooth frame; with the functions that it calls. frames: number of "
                "janky frames with extra time. samples: number of sampled stacks of "
                "janky frames that contain the function.");
    dj_document_add_paragraph(document, &words);
}

void dj_report_add_function_details(struct dj_document *document,
                                    const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    if (add_table(document, result, detail_columns, COUNT_OF(detail_columns))) {
        dj_text_add(&words, "named: share of samples that end in a function with a "
                            "symbol. guessed: share of samples with a stack that is "
                            "partly a guess.");
        dj_document_add_paragraph(document, &words);
    }
}

void dj_report_write_call_path(struct dj_text *text, const char *key,
                               const struct dj_calls_tree *calls, uint32_t node,
                               uint32_t last)
{
    uint32_t path[DJ_CALLS_DEPTH_MAX];
    size_t count = list_callers(calls, node, last, path);
    dj_json_open_array(text, key);
    for (size_t i = count; i-- > 0;) {
        dj_json_append_string(text, get_name(calls, path[i]));
    }
    dj_json_close(text, "]");
}

static void write_function(struct dj_text *text, const struct dj_calls_tree *calls,
                           const struct dj_triage_function *function)
{
    const struct dj_calls_function *identity = function->function;
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", identity->name);
    dj_json_add_name(text, "module", identity->module);
    dj_json_add_name(text, "build_id", identity->build_id);
    dj_json_add_optional(text, "offset", !identity->named, (int64_t)identity->offset);
    dj_report_write_call_path(text, "path", calls, function->node, DJ_CALLS_ROOT);
    dj_report_write_call_path(text, "chain", calls, function->chain_last,
                              function->chain_first);
    dj_json_add_real(text, "extra_ms", to_ms(function->extra_ns));
    dj_json_add_bounds(text, "ci_ms", round(function->low_ns / 1e3) / 1e3,
                       round(function->high_ns / 1e3) / 1e3);
    dj_json_add_int(text, "samples", (int64_t)function->samples);
    dj_json_add_real(text, "named", function->named);
    dj_json_add_real(text, "guessed", function->guessed);
    dj_json_add_int(text, "frames", (int64_t)function->frames);
    dj_json_open_object(text, "longest");
    dj_json_add_string(text, "frame", function->worst_frame);
    dj_json_add_name(text, "trace", function->worst_trace);
    dj_json_add_int(text, "frame_start_ns", function->worst_start_ns);
    dj_json_add_real(text, "ms", to_ms(function->worst_ns));
    dj_json_close(text, "}}");
}

void dj_report_write_functions(struct dj_text *text, const struct dj_calls_tree *calls,
                               const struct dj_triage_functions *functions)
{
    if (functions == NULL) {
        return;
    }
    dj_json_open_array(text, "functions");
    for (size_t i = 0; i < functions->count; i++) {
        write_function(text, calls, &functions->all[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_object(text, "function_frames");
    dj_json_add_int(text, "janky", (int64_t)functions->janky_frames);
    dj_json_add_int(text, "smooth", (int64_t)functions->smooth_frames);
    dj_json_add_int(text, "janky_samples", (int64_t)functions->janky_samples);
    dj_json_add_int(text, "smooth_samples", (int64_t)functions->smooth_samples);
    dj_json_add_bool(text, "too_few", functions->too_few);
    dj_json_close(text, "}");
}
