#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "device/quote.h"
#include "fleet/commands/commands.h"
#include "fleet/compare.h"
#include "memory/memory.h"
#include "report/compare.h"

enum { LINE_COLUMNS = 80, SHORT_VERSION = 16, CHANGES_MOST = 3 };

static const char *get_class_name(const char *name)
{
    return name[0] != '\0' ? name : "unknown";
}

/* What the new version does, for percentiles and for shares. */
static const struct {
    const char *times, *shares;
} words[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = {"renders slower", "renders worse"},
    [DJ_VERDICT_LIKELY_REGRESSION] = {"probably renders slower",
                                      "probably renders worse"},
    [DJ_VERDICT_EQUIVALENT] = {"renders alike", "renders alike"},
    [DJ_VERDICT_LIKELY_IMPROVEMENT] = {"probably renders faster",
                                       "probably renders better"},
    [DJ_VERDICT_IMPROVEMENT] = {"renders faster", "renders better"},
    [DJ_VERDICT_INCONCLUSIVE] = {"no certain change", "no certain change"},
};

/* Appends a version. Truncates it if it is long. */
static void append_version(struct dj_text *line, const char *version, bool is_short)
{
    size_t length = strlen(version), most = is_short ? SHORT_VERSION : length;
    while (most < length && most > 0 && dj_str_continues(version[most])) {
        most--;
    }
    char *shown = dj_xcopy(version, most < length ? most : length);
    dj_text_append_name(line, "", shown, most < length ? "…" : "");
    free(shown);
}

static void append_answer(struct dj_text *line, const struct dj_fleet_compare_view *view,
                          bool has_interval, bool is_short)
{
    const struct dj_fleet_comparison *comparison = view->comparison;
    const struct dj_fleet_class *class = comparison->leading_class;
    const struct dj_fleet_metric *metric = &dj_fleet_metrics[comparison->leading];
    const struct dj_family_member *members =
        class != NULL ? class->members : comparison->members;
    struct dj_effect effect = members[comparison->leading].effect;
    enum dj_compare_verdict verdict = comparison->verdict.verdict;
    dj_text_format(line, "%s: ", dj_compare_verdict_name(verdict));
    append_version(line, view->request->to, is_short);
    dj_text_format(line, " %s",
                   metric->quantile > 0 ? words[verdict].times : words[verdict].shares);
    if (class != NULL) {
        dj_text_append_name(line, " on ", get_class_name(class->name), "");
    }
    dj_text_format(line, ": %s ", metric->short_name);
    if (has_interval) {
        dj_compare_format_effect(&effect, line);
    } else {
        dj_compare_format_change(line, effect.ratio);
        dj_text_add(line, " %");
    }
}

static void append_line(struct dj_text *line, const struct dj_fleet_compare_view *view)
{
    const struct dj_fleet_comparison *comparison = view->comparison;
    if (comparison->compared_count == 0) {
        dj_text_format(line,
                       "inconclusive: no class has %d device models with both "
                       "versions",
                       DJ_FLEET_MODELS_LEAST);
    } else if (comparison->verdict.contradictory) {
        dj_text_add(line, "inconclusive: better in some classes or metrics, worse in "
                          "others");
    } else if (comparison->leading == DJ_FLEET_METRICS) {
        dj_text_add(line, "inconclusive: no metric can be judged in any class");
    } else {
        for (int form = 0; form < 3; form++) {
            dj_text_clear(line);
            append_answer(line, view, form == 0, form == 2);
            if (dj_str_count_characters(dj_text_str(line)) <= LINE_COLUMNS) {
                break;
            }
        }
    }
}

/* Appends a ratio as a change in percent with one decimal. */
static void append_percent(struct dj_cell *cell, double ratio)
{
    double percent = 100 * (ratio - 1);
    if (isfinite(percent)) {
        double shown = fabs(percent) < 0.05 ? 0 : percent;
        dj_cell_format(cell, "%+.*f", fabs(shown) < 99.95 ? 1 : 0, shown);
    } else {
        dj_cell_format(cell, "+∞");
    }
}

static void add_change(struct dj_document *document, const struct dj_effect *effect)
{
    struct dj_cell *cell = dj_document_add_cell(document);
    cell->tone = dj_report_get_verdict_tone(effect->verdict);
    if (effect->refusal == DJ_EFFECT_NO_REFUSAL) {
        append_percent(cell, effect->ratio);
    }
}

static void add_verdict(struct dj_document *document, enum dj_compare_verdict verdict)
{
    struct dj_cell *cell = dj_document_add_cell(document);
    cell->tone = dj_report_get_verdict_tone(verdict);
    dj_cell_format(cell, "%s", dj_compare_verdict_name(verdict));
}

/* Lists the metrics that decide the verdict. Returns how many the table shows. */
static size_t list_gating(const struct dj_fleet_comparison *comparison,
                          size_t metrics[CHANGES_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < DJ_FLEET_METRICS && count < CHANGES_MOST; i++) {
        if (comparison->rules.gates[i]) {
            metrics[count++] = i;
        }
    }
    return count;
}

static void add_row(struct dj_document *document, const char *name, double weight,
                    size_t models)
{
    dj_cell_format(dj_document_add_cell(document), "%s", name);
    dj_cell_set_number(dj_document_add_cell(document), 100 * weight, 0);
    dj_cell_format(dj_document_add_cell(document), "%zu", models);
}

static void add_class_row(struct dj_document *document,
                          const struct dj_fleet_class *class, const size_t *metrics,
                          size_t count)
{
    add_row(document, get_class_name(class->name),
            class->is_compared ? class->weight : NAN, class->model_count);
    for (size_t i = 0; i < count; i++) {
        if (class->is_compared) {
            add_change(document, &class->members[metrics[i]].effect);
        } else {
            dj_document_add_cell(document);
        }
    }
    if (class->is_compared) {
        add_verdict(document, class->verdict.verdict);
    } else {
        struct dj_cell *cell = dj_document_add_cell(document);
        cell->tone = DJ_TONE_MUTED;
        dj_cell_format(cell, "not compared");
    }
}

static void add_classes(struct dj_document *document,
                        const struct dj_fleet_comparison *comparison)
{
    size_t metrics[CHANGES_MOST], count = list_gating(comparison, metrics), models = 0;
    struct dj_table_column columns[CHANGES_MOST + 4] = {
        {.label = "class"},
        {.label = "weight", .unit = "%", .is_number = true},
        {.label = "models", .is_number = true}};
    for (size_t i = 0; i < count; i++) {
        columns[3 + i] =
            (struct dj_table_column){.label = dj_fleet_metrics[metrics[i]].short_name,
                                     .unit = "%",
                                     .is_number = true};
    }
    columns[3 + count] = (struct dj_table_column){.label = "verdict"};
    dj_document_begin_table(document, columns, 4 + count);
    if (comparison->compared_count > 1) {
        for (size_t i = 0; i < comparison->compared_count; i++) {
            models += comparison->classes[i].model_count;
        }
        struct dj_family_verdict all;
        dj_compare_family_combine(comparison->members, DJ_FLEET_METRICS, &all);
        add_row(document, "all", 1, models);
        for (size_t i = 0; i < count; i++) {
            add_change(document, &comparison->members[metrics[i]].effect);
        }
        add_verdict(document, all.verdict);
    }
    for (size_t i = 0; i < comparison->class_count; i++) {
        add_class_row(document, &comparison->classes[i], metrics, count);
    }
}

/* Adds a value with three digits or more. */
static void add_value(struct dj_document *document, size_t metric, double value)
{
    double shown = dj_fleet_get_shown_value(metric, value);
    dj_cell_set_number(dj_document_add_cell(document), shown, fabs(shown) < 10 ? 2 : 1);
}

static void add_metric(struct dj_document *document, size_t metric,
                       const struct dj_effect *effect)
{
    const struct dj_fleet_metric *what = &dj_fleet_metrics[metric];
    bool is_refused = effect->refusal != DJ_EFFECT_NO_REFUSAL;
    dj_cell_format(dj_document_add_cell(document), "%s, %s",
                   what->quantile > 0 ? what->short_name : what->words, what->unit);
    add_value(document, metric, effect->a);
    add_value(document, metric, effect->b);
    add_change(document, effect);
    struct dj_cell *cell = dj_document_add_cell(document);
    if (!is_refused) {
        append_percent(cell, effect->ci.low);
        dj_cell_format(cell, " … ");
        append_percent(cell, effect->ci.high);
        add_verdict(document, effect->verdict);
    } else {
        cell = dj_document_add_cell(document);
        cell->tone = DJ_TONE_MUTED;
        dj_cell_format(cell, "%s", dj_compare_refusal_name(effect->refusal));
    }
}

/* Adds all metrics of a class, or of all classes. */
static void add_metrics(struct dj_document *document, const char *name,
                        const struct dj_family_member *members)
{
    static const struct dj_table_column columns[] = {
        {.label = "metric"},
        {.label = "from", .is_number = true},
        {.label = "to", .is_number = true},
        {.label = "change", .unit = "%", .is_number = true},
        {.label = "interval", .unit = "%", .is_number = true},
        {.label = "verdict"}};
    dj_document_add_heading(document, 3, name);
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        add_metric(document, i, &members[i].effect);
    }
}

static void add_details(struct dj_document *document,
                        const struct dj_fleet_comparison *comparison)
{
    dj_document_begin_details(document, "every metric of every class", true);
    if (comparison->compared_count > 1) {
        add_metrics(document, "All classes", comparison->members);
    }
    for (size_t i = 0; i < comparison->compared_count; i++) {
        add_metrics(document, get_class_name(comparison->classes[i].name),
                    comparison->classes[i].members);
    }
    dj_document_end_details(document);
}

static void add_skipped_class(struct dj_document *document,
                              const struct dj_fleet_class *class)
{
    struct dj_text text = {0};
    dj_text_append_name(&text, "Class ", get_class_name(class->name), "");
    dj_text_format(&text,
                   " is not compared: %zu models have sessions of both versions, "
                   "at least %d are needed.",
                   class->model_count, DJ_FLEET_MODELS_LEAST);
    dj_document_add_note(document, DJ_TONE_WARNING, &text);
}

/* Says how many sessions are not compared, so that no class or model is dropped
 * silently. */
static void add_notes(struct dj_document *document,
                      const struct dj_fleet_comparison *comparison)
{
    struct dj_text text = {0};
    for (size_t i = comparison->compared_count; i < comparison->class_count; i++) {
        add_skipped_class(document, &comparison->classes[i]);
    }
    int64_t from =
        comparison->sessions[DJ_FLEET_FROM] - comparison->compared[DJ_FLEET_FROM];
    int64_t to = comparison->sessions[DJ_FLEET_TO] - comparison->compared[DJ_FLEET_TO];
    if (from + to > 0) {
        dj_text_add(&text, "Not compared: ");
        dj_fleet_append_count(&text, from);
        dj_text_add(&text, " sessions of the old version and ");
        dj_fleet_append_count(&text, to);
        dj_text_add(&text, " of the new one. They are of classes that are not compared, "
                           "of models with only one of the versions, or of unknown "
                           "models.");
        dj_document_add_note(document, DJ_TONE_MUTED, &text);
    }
    dj_text_format(&text,
                   "Changes are those on the same mix of device models. An "
                   "interval holds over all classes and metrics together "
                   "(alpha %g). Margins:",
                   comparison->rules.alpha);
    for (size_t i = 0, count = 0; i < DJ_FLEET_METRICS; i++) {
        if (comparison->rules.gates[i]) {
            dj_text_format(&text, "%s %s %g" DJ_NBSP "%%", count++ > 0 ? "," : "",
                           dj_fleet_metrics[i].words, 100 * comparison->rules.margin[i]);
        }
    }
    dj_text_add(&text, ".");
    dj_document_add_note(document, DJ_TONE_MUTED, &text);
}

static void add_command(struct dj_document *document,
                        const struct dj_fleet_request *request)
{
    struct dj_text command = {0};
    dj_text_add(&command, "dejank fleet query --app ");
    dj_device_quote_word(&command, request->app);
    dj_text_add(&command, " --version ");
    dj_device_quote_word(&command, request->to);
    dj_text_add(&command, " --by class,device");
    dj_document_add_command(document, dj_xtext(&command), "shows the device models");
    dj_text_finish(&command);
}

void dj_fleet_build_comparison(struct dj_document *document,
                               const struct dj_fleet_compare_view *view)
{
    const struct dj_fleet_comparison *comparison = view->comparison;
    struct dj_text line = {0};
    dj_document_set_title(document, "Fleet comparison — dejank");
    dj_fleet_add_missing(document, view->state);
    append_line(&line, view);
    dj_document_add_verdict(
        document, dj_report_get_verdict_tone(comparison->verdict.verdict), &line);
    add_classes(document, comparison);
    dj_fleet_add_scope(document, view->state,
                       comparison->sessions[DJ_FLEET_FROM] +
                           comparison->sessions[DJ_FLEET_TO],
                       view->is_provisional);
    add_notes(document, comparison);
    add_command(document, view->request);
    add_details(document, comparison);
}
