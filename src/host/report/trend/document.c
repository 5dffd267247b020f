/* Builds the start and the end of a trend's document. */
#include <stdio.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/trend/summary.h"

/* A verdict has at most LINE_COLUMNS columns, so that a terminal of 80 columns does not
 * wrap it. */
enum { LINE_COLUMNS = 78, FEW_SEGMENTS = 3 };

/* Returns a text of the finding, or "" if the finding lacks it. */
static const char *get_text(const struct dj_trend_finding *finding,
                            enum dj_trend_finding_text which)
{
    return finding->texts[which] != NULL ? finding->texts[which] : "";
}

static const char *choose_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

enum { NAMES_FLOW = 1, NAMES_DEVICE = 2, NAMES_DAY = 4 };

/* Writes the change of a finding: "p95 frame time of scroll on Pixel 7 +12.0 % since 1.25
 * (2021-03-04)". `names` selects the optional parts. */
static void write_finding(struct dj_text *text, const struct dj_trend_finding *finding,
                          int names)
{
    const char *flow = get_text(finding, DJ_FINDING_FLOW);
    dj_text_add(text, get_text(finding, DJ_FINDING_METRIC));
    if ((names & NAMES_FLOW) != 0) {
        dj_text_format(text, " of %s",
                       flow[0] != '\0' ? flow : get_text(finding, DJ_FINDING_PROJECT));
    }
    if ((names & NAMES_DEVICE) != 0) {
        dj_text_append_name(text, " on ", get_text(finding, DJ_FINDING_DEVICE), "");
    }
    dj_text_format(text, " %s since %s", get_text(finding, DJ_FINDING_SIZE),
                   get_text(finding, DJ_FINDING_SINCE));
    if ((names & NAMES_DAY) != 0) {
        dj_text_append_name(text, " (", get_text(finding, DJ_FINDING_DAY), ")");
    }
}

/* Writes the finding with as many optional parts as fit in a line. */
static void write_line(struct dj_text *text, const char *before,
                       const struct dj_trend_finding *finding, const char *after)
{
    static const int choices[] = {NAMES_FLOW | NAMES_DEVICE | NAMES_DAY,
                                  NAMES_FLOW | NAMES_DAY, NAMES_FLOW, NAMES_DAY, 0};
    for (size_t i = 0; i < COUNT_OF(choices); i++) {
        dj_text_clear(text);
        dj_text_add(text, before);
        write_finding(text, finding, choices[i]);
        dj_text_add(text, after);
        if (dj_name_count_columns(dj_xtext(text)) <= LINE_COLUMNS) {
            return;
        }
    }
    dj_name_shorten(text, LINE_COLUMNS);
}

static void write_more(struct dj_text *text, const struct dj_trend_summary *summary,
                       enum dj_trend_state state)
{
    if (summary->states[state] > 1) {
        dj_text_format(text, "; %zu more", summary->states[state] - 1);
    }
}

/* Writes the verdict for a trend without a change that needs attention. The verdict says
 * why there is none. */
static void write_quiet_verdict(struct dj_text *text,
                                const struct dj_trend_summary *summary)
{
    size_t few = summary->states[DJ_TREND_TOO_FEW];
    size_t accepted = summary->states[DJ_TREND_ACCEPTED];
    size_t recovered = summary->states[DJ_TREND_RECOVERED];
    if (few == summary->segments) {
        dj_text_format(text,
                       "unknown: too few points to find a change (%s%zu, but %d are "
                       "needed)",
                       summary->segments > 1 ? "at most " : "", summary->points_max,
                       DJ_HISTORY_LEAST);
        return;
    }
    dj_text_format(text, "no change in %zu trend%s", summary->segments - few,
                   choose_plural(summary->segments - few));
    if (accepted > 0 || recovered > 0) {
        dj_text_clear(text);
        dj_text_add(text, "no open change: ");
        if (accepted > 0) {
            dj_text_format(text, "%zu accepted%s", accepted, recovered > 0 ? ", " : "");
        }
        if (recovered > 0) {
            dj_text_format(text, "%zu recovered", recovered);
        }
        dj_text_format(text, ", %zu without a change",
                       summary->states[DJ_TREND_UNCHANGED]);
    }
}

static void add_verdict(struct dj_document *document,
                        const struct dj_trend_summary *summary)
{
    const struct dj_trend_finding *first = &summary->findings[0];
    struct dj_text words = {0};
    struct dj_text more = {0};
    if (first->state <= DJ_TREND_BETTER) {
        char before[40];
        snprintf(before, sizeof(before),
                 "%s: ", dj_report_get_trend_state_name(first->state));
        write_more(&more, summary, first->state);
        write_line(&words, before, first, dj_xtext(&more));
    } else {
        write_quiet_verdict(&words, summary);
    }
    dj_document_add_verdict(document, dj_report_get_trend_state_tone(first->state),
                            &words);
    dj_text_finish(&more);
}

struct finding_row {
    const struct dj_trend_summary *summary;
    const struct dj_trend_finding *finding;
    bool is_whole;
};

static const struct dj_trend_finding *get_finding(const void *record)
{
    return ((const struct finding_row *)record)->finding;
}

static void get_metric(struct dj_cell *cell, const void *record)
{
    const struct finding_row *row = record;
    dj_text_add(&cell->text, get_text(row->finding, DJ_FINDING_METRIC));
    dj_text_append_name(&cell->text, ", ", get_text(row->finding, DJ_FINDING_UNIT), "");
    if (!row->is_whole) {
        dj_text_format(&cell->target, "trend-%zu", row->finding->number);
    }
}

static void get_level(struct dj_cell *cell, const void *record)
{
    dj_text_add(&cell->text, get_text(get_finding(record), DJ_FINDING_LEVEL));
}

static void get_size(struct dj_cell *cell, const void *record)
{
    dj_text_add(&cell->text, get_text(get_finding(record), DJ_FINDING_SIZE));
}

static void get_since(struct dj_cell *cell, const void *record)
{
    dj_text_add(&cell->text, get_text(get_finding(record), DJ_FINDING_SINCE));
}

static void get_state(struct dj_cell *cell, const void *record)
{
    enum dj_trend_state state = get_finding(record)->state;
    cell->tone = dj_report_get_trend_state_tone(state);
    dj_text_add(&cell->text, dj_report_get_trend_state_name(state));
}

static void write_history(struct dj_text *text, const struct dj_trend_summary *summary,
                          const struct dj_trend_finding *finding)
{
    const char *flow = get_text(finding, DJ_FINDING_FLOW);
    bool names_project = summary->projects > 1 || flow[0] == '\0';
    if (names_project) {
        dj_text_add(text, get_text(finding, DJ_FINDING_PROJECT));
    }
    dj_text_append_name(text, names_project ? ", " : "", flow, "");
    dj_text_append_name(text, ", ", get_text(finding, DJ_FINDING_DEVICE), "");
}

static void get_history(struct dj_cell *cell, const void *record)
{
    const struct finding_row *row = record;
    write_history(&cell->text, row->summary, row->finding);
}

static const struct dj_table_column one_history[] = {
    {"metric", NULL, false, get_metric}, {"level", NULL, true, get_level},
    {"change", NULL, true, get_size},    {"since", NULL, false, get_since},
    {"result", NULL, false, get_state},
};

/* The columns for several histories. A line of 80 columns then has no space for the
 * level. */
static const struct dj_table_column several_histories[] = {
    {"metric", NULL, false, get_metric},   {"change", NULL, true, get_size},
    {"since", NULL, false, get_since},     {"result", NULL, false, get_state},
    {"history", NULL, false, get_history},
};

static void add_findings(struct dj_document *document,
                         const struct dj_trend_summary *summary, bool is_whole)
{
    struct dj_text words = {0};
    if (summary->histories == 1) {
        dj_text_add(&words, get_text(&summary->findings[0], DJ_FINDING_HISTORY));
        dj_document_add_field(document, "history", &words);
        dj_document_begin_table(document, one_history, COUNT_OF(one_history));
    } else {
        dj_text_format(&words, "%zu trends of %zu histories", summary->segments,
                       summary->histories);
        if (summary->finding_count < summary->segments) {
            dj_text_format(&words, "; these %zu matter most", summary->finding_count);
        }
        dj_document_add_field(document, "trends", &words);
        dj_document_begin_table(document, several_histories, COUNT_OF(several_histories));
    }
    for (size_t i = 0; i < summary->finding_count; i++) {
        const struct finding_row row = {summary, &summary->findings[i], is_whole};
        dj_document_add_row(document, &row);
    }
}

static void add_change(struct dj_document *document,
                       const struct dj_trend_summary *summary,
                       const struct dj_trend_finding *finding)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s: %s", get_text(finding, DJ_FINDING_ID),
                   get_text(finding, DJ_FINDING_METRIC));
    if (summary->histories > 1) {
        dj_text_add(&words, " of ");
        write_history(&words, summary, finding);
    }
    dj_text_format(&words, " %s; %s", get_text(finding, DJ_FINDING_CHANGE),
                   get_text(finding, DJ_FINDING_REASON));
    dj_document_add_note(document, dj_report_get_trend_state_tone(finding->state),
                         &words);
}

static void add_note(struct dj_document *document, const struct dj_trend_summary *summary,
                     const struct dj_trend_finding *finding, const char *note)
{
    struct dj_text words = {0};
    if (summary->segments > 1) {
        dj_text_format(&words, "%s: ", get_text(finding, DJ_FINDING_METRIC));
    }
    dj_text_add(&words, note);
    dj_document_add_note(document, DJ_TONE_MUTED, &words);
}

/* Adds the notes on a finding, except the first one, which says why changes were not
 * searched. The verdict or a note on several trends already contains it. */
static void add_notes(struct dj_document *document,
                      const struct dj_trend_summary *summary,
                      const struct dj_trend_finding *finding)
{
    const char *others = get_text(finding, DJ_FINDING_OTHERS);
    if (others[0] != '\0') {
        struct dj_text words = {0};
        dj_text_format(&words, "other changes: %s", others);
        add_note(document, summary, finding, dj_xtext(&words));
        dj_text_finish(&words);
    }
    for (size_t i = summary->segments > 1 ? 1 : 0; i < DJ_TREND_NOTES; i++) {
        if (finding->notes[i] != NULL) {
            add_note(document, summary, finding, finding->notes[i]);
        }
    }
}

static void add_changes(struct dj_document *document,
                        const struct dj_trend_summary *summary)
{
    for (size_t i = 0; i < summary->finding_count && i < FEW_SEGMENTS; i++) {
        if (summary->findings[i].texts[DJ_FINDING_ID] != NULL) {
            add_change(document, summary, &summary->findings[i]);
        }
    }
    for (size_t i = 0; i < summary->finding_count && summary->segments <= FEW_SEGMENTS;
         i++) {
        add_notes(document, summary, &summary->findings[i]);
    }
}

static void add_gaps(struct dj_document *document, const struct dj_trend_summary *summary)
{
    size_t few = summary->states[DJ_TREND_TOO_FEW];
    struct dj_text words = {0};
    if (few > 0 && summary->segments > 1) {
        dj_text_format(&words,
                       "%zu trend%s fewer than %d points: too few to search for changes",
                       few, few == 1 ? " has" : "s have", DJ_HISTORY_LEAST);
        dj_document_add_note(document, DJ_TONE_MUTED, &words);
    }
}

/* Adds the meanings of the words that occur in the verdict. */
static void explain_states(struct dj_document *document,
                           const struct dj_trend_summary *summary)
{
    static const char *const meanings[DJ_TREND_STATES] = {
        [DJ_TREND_WORSE] =
            " worse: the metric became worse, no one accepted the change, and no later "
            "change undid it.",
        [DJ_TREND_CHANGED] = " changed: dejank does not know whether the change is good "
                             "or bad.",
        [DJ_TREND_ACCEPTED] = " accepted: a person accepted the change (dejank history "
                              "bless).",
        [DJ_TREND_RECOVERED] = " recovered: a later change undid the change.",
    };
    struct dj_text words = {0};
    dj_text_format(&words,
                   "A change is a lasting step in a metric that is larger than the "
                   "noise. dejank searches trends of at least %d points.",
                   DJ_HISTORY_LEAST);
    for (size_t i = 0; i < DJ_TREND_STATES; i++) {
        if (summary->states[i] > 0 && meanings[i] != NULL) {
            dj_text_add(&words, meanings[i]);
        }
    }
    dj_document_add_paragraph(document, &words);
}

static void set_title(struct dj_document *document,
                      const struct dj_trend_summary *summary)
{
    struct dj_text title = {0};
    dj_text_add(&title, "Trends");
    if (summary->projects == 1) {
        dj_text_append_name(&title, " of ",
                            get_text(&summary->findings[0], DJ_FINDING_PROJECT), "");
    }
    dj_text_add(&title, " — dejank history");
    dj_document_set_title(document, dj_xtext(&title));
    dj_text_finish(&title);
}

void dj_report_start_trend_document(struct dj_document *document,
                                    struct dj_trend_summary *summary, bool is_whole)
{
    set_title(document, summary);
    add_verdict(document, summary);
    add_findings(document, summary, is_whole);
    if (is_whole) {
        bool has_change = summary->findings[0].texts[DJ_FINDING_ID] != NULL;
        if (has_change || summary->segments == 1) {
            dj_document_add_chart(document, summary->chart);
            summary->chart = NULL;
        }
        add_changes(document, summary);
    }
    add_gaps(document, summary);
    explain_states(document, summary);
}

static void add_command(struct dj_document *document, struct dj_text *command,
                        const struct dj_trend_commands *commands, const char *purpose)
{
    if (commands->store != NULL) {
        dj_text_add(command, " --store ");
        dj_device_quote_word(command, commands->store);
    }
    dj_document_add_command(document, dj_xtext(command), purpose);
    dj_text_finish(command);
}

static void add_next(struct dj_document *document, const struct dj_trend_finding *first,
                     const struct dj_trend_commands *commands)
{
    const char *older = get_text(first, DJ_FINDING_OLDER);
    const char *newer = get_text(first, DJ_FINDING_NEWER);
    struct dj_text command = {0};
    if (older[0] != '\0' && newer[0] != '\0') {
        dj_text_format(&command, "dejank compare %s %s", older, newer);
        add_command(document, &command, commands, "the batches around the change");
    }
    if (first->state == DJ_TREND_WORSE) {
        dj_text_format(&command, "dejank history bless %s --why TEXT",
                       get_text(first, DJ_FINDING_ID));
        if (commands->names_metric) {
            dj_text_add(&command, " --metric ");
            dj_device_quote_word(&command, get_text(first, DJ_FINDING_NAME));
        }
        add_command(document, &command, commands, "accept the change");
    }
    if (commands->suggests_page) {
        dj_text_add(&command, "dejank history -o history.html");
        add_command(document, &command, commands, "all charts as a page");
    }
}

void dj_report_end_trend_document(struct dj_document *document,
                                  const struct dj_trend_summary *summary,
                                  const struct dj_trend_commands *commands)
{
    struct dj_text words = {0};
    if (commands->hidden != NULL) {
        dj_text_add(&words, commands->hidden);
        dj_document_begin_details(document, commands->hidden, true);
        dj_document_add_paragraph(document, &words);
        dj_document_end_details(document);
    }
    add_next(document, &summary->findings[0], commands);
}
