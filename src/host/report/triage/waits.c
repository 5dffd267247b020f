#include "report/triage/waits.h"

#include "base/json.h"
#include "base/units.h"
#include "report/triage/functions.h"

/* Maximum number of functions in a sentence. */
enum { NAMED_MOST = 3 };

/* Returns the name of the function that was called to wait, or NULL if it is unknown. */
static const char *get_call_name(const struct dj_calls_tree *calls,
                                 const struct dj_triage_waiter *waiter)
{
    return waiter->call == waiter->node
               ? NULL
               : calls->functions[calls->nodes[waiter->call].function].name;
}

static void describe_waiter(struct dj_text *text, const struct dj_calls_tree *calls,
                            const struct dj_triage_waiter *waiter)
{
    dj_text_format(text, "`%s`", waiter->function->name);
    dj_text_append_name(text, " > `", get_call_name(calls, waiter), "`");
    if (waiter->function->named) {
        dj_report_describe_file(text, waiter->function->module);
    }
    dj_text_format(text, " waited %.1f" DJ_NBSP "ms in %zu call%s",
                   dj_units_ms(waiter->ns), waiter->waits, waiter->waits == 1 ? "" : "s");
}

void dj_report_describe_waits(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_triage_cause *cause)
{
    const struct dj_triage_waiters *waiters = cause->waiters;
    if (waiters == NULL) {
        return;
    }
    size_t count = waiters->count < NAMED_MOST ? waiters->count : NAMED_MOST;
    for (size_t i = 0; i < count; i++) {
        dj_text_add(text, i == 0 ? " " : i + 1 == count ? " and " : ", ");
        describe_waiter(text, result->calls, &waiters->all[i]);
    }
    dj_text_add(text, count > 0 ? "." : "");
    if (waiters->known_waits == 0) {
        dj_text_add(text, " dejank sampled no call stack of these waits.");
    } else if (waiters->known_waits < waiters->waits) {
        dj_text_format(text,
                       " dejank sampled the call stacks of %zu of %zu waits (%.0f" DJ_NBSP
                       "%% of the time).",
                       waiters->known_waits, waiters->waits,
                       100 * (double)waiters->known_ns / (double)waiters->ns);
    }
}

struct waiter_row {
    const struct dj_triage_waiter *waiter;
    const struct dj_calls_tree *calls;
    size_t rank;
};

static const struct dj_triage_waiter *get_waiter(const void *record)
{
    return ((const struct waiter_row *)record)->waiter;
}

static void get_rank(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", ((const struct waiter_row *)record)->rank);
}

static void get_name(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_waiter(record)->function->name);
}

static void get_call(struct dj_cell *cell, const void *record)
{
    const struct waiter_row *row = record;
    const char *name = get_call_name(row->calls, row->waiter);
    dj_cell_format(cell, "%s", name != NULL ? name : "");
}

static void get_time(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_waiter(record)->ns), 2);
}

static void get_waits(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_waiter(record)->waits);
}

static void get_frames(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_waiter(record)->frames);
}

static const struct dj_table_column columns[] = {
    {"cause", NULL, true, get_rank},   {"function", NULL, false, get_name},
    {"called", NULL, false, get_call}, {"waited", "ms", true, get_time},
    {"waits", NULL, true, get_waits},  {"frames", NULL, true, get_frames},
};

void dj_report_add_waits(struct dj_document *document,
                         const struct dj_triage_result *result)
{
    bool begun = false;
    for (size_t i = 0; i < result->cause_count; i++) {
        const struct dj_triage_waiters *waiters = result->causes[i].waiters;
        for (size_t k = 0; waiters != NULL && k < waiters->count; k++) {
            if (!begun) {
                dj_document_add_heading(document, 3, "Functions that waited");
                dj_document_begin_table(document, columns, COUNT_OF(columns));
                begun = true;
            }
            dj_document_add_row(
                document, &(struct waiter_row){&waiters->all[k], result->calls, i + 1});
        }
    }
    if (begun) {
        struct dj_text words = {0};
        dj_text_add(&words, "called: the function that the waiting function called. "
                            "waited: how long janky frames waited in this function.");
        dj_document_add_paragraph(document, &words);
    }
}

static void write_waiter(struct dj_text *text, const struct dj_calls_tree *calls,
                         const struct dj_triage_waiter *waiter)
{
    const struct dj_calls_function *identity = waiter->function;
    const char *call = get_call_name(calls, waiter);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", identity->name);
    dj_json_add_name(text, "call", call != NULL ? call : "");
    dj_json_add_name(text, "module", identity->module);
    dj_json_add_name(text, "build_id", identity->build_id);
    dj_json_add_optional(text, "offset", !identity->named, (int64_t)identity->offset);
    dj_report_write_call_path(text, "path", calls, waiter->call, DJ_CALLS_ROOT);
    dj_json_add_real(text, "ms", dj_units_ms(waiter->ns));
    dj_json_add_int(text, "waits", (int64_t)waiter->waits);
    dj_json_add_int(text, "frames", (int64_t)waiter->frames);
    dj_json_add_real(text, "guessed", (double)waiter->guessed / (double)waiter->waits);
    dj_json_close(text, "}");
}

void dj_report_write_waits(struct dj_text *text, const struct dj_calls_tree *calls,
                           const struct dj_triage_waiters *waiters)
{
    if (waiters == NULL) {
        return;
    }
    dj_json_open_array(text, "waits");
    for (size_t i = 0; i < waiters->count; i++) {
        write_waiter(text, calls, &waiters->all[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_object(text, "wait_stacks");
    dj_json_add_int(text, "waits", (int64_t)waiters->waits);
    dj_json_add_int(text, "known", (int64_t)waiters->known_waits);
    dj_json_add_real(text, "ms", dj_units_ms(waiters->ns));
    dj_json_add_real(text, "known_ms", dj_units_ms(waiters->known_ns));
    dj_json_close(text, "}");
}
