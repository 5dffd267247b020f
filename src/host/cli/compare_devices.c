#include "cli/compare_devices.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/output_file.h"
#include "report/compare.h"

static const struct {
    const char *suffix;
    void (*draw)(struct dj_text *text, const struct dj_gate *range);
} formats[] = {
    {".html", dj_compare_range_html},
    {".htm", dj_compare_range_html},
    {".md", dj_compare_range_markdown},
    {".json", dj_compare_range_json},
};

static int write_file(const char *output, const struct dj_gate *range,
                      struct dj_error *err)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        if (dj_output_has_suffix(output, formats[i].suffix)) {
            struct dj_text text = {0};
            formats[i].draw(&text, range);
            int code = dj_output_write_or_save(output, &text, err);
            dj_text_finish(&text);
            return code;
        }
    }
    return dj_error_set(err, DJ_E_USAGE,
                        "'%s' names no format of a comparison; there is: .html .md .json",
                        output);
}

static int print(const struct dj_compare_devices *ask, const struct dj_gate *range,
                 struct dj_error *err)
{
    struct dj_text text = {0};
    int code = ask->output != NULL ? write_file(ask->output, range, err) : 0;
    if (ask->json) {
        dj_compare_range_json(&text, range);
    } else if (ask->output != NULL) {
        dj_compare_range_words(&text, range);
        dj_text_string(&text, "\n");
    } else {
        dj_compare_range_terminal(&text, range);
    }
    code = code == 0 ? dj_output_print(&text, err) : code;
    dj_text_finish(&text);
    return code;
}

static int check(const struct dj_gate *range, struct dj_error *err)
{
    if (range->flow_count != 1) {
        return dj_error_set(err, DJ_E_USAGE,
                            "A and B have batches of %zu flows on several devices; "
                            "narrow them with --flow",
                            range->flow_count);
    }
    return range->flow[0].range.devices > 0
               ? 0
               : dj_error_set(err, DJ_E_NO_DATA, "no device has figures of both A and B");
}

int dj_compare_devices_print(const struct dj_compare_devices *ask,
                             enum dj_judgement *verdict, struct dj_error *err)
{
    const struct dj_side_filter *filter = &ask->request->filter;
    struct dj_gate_rules rules = {
        .cells = {.candidate = ask->stores->word[1],
                  .flow = filter->flow,
                  .serial = filter->serial,
                  .has_baseline = true,
                  .baseline = {.kind = DJ_BASELINE_NAMED}},
        .project = filter->project,
        .alpha = ask->rules->alpha,
        .margin = ask->rules->margin,
        .gates = ask->rules->gates,
        .gate_count = ask->rules->gate_count,
        .only_these = true,
    };
    struct dj_gate range = {.alpha = 0};
    snprintf(rules.cells.baseline.name, sizeof(rules.cells.baseline.name), "%s",
             ask->stores->word[0]);
    int code = dj_gate_judge(ask->stores->history[0], &rules, &range, err);
    code = code == 0 ? check(&range, err) : code;
    code = code == 0 ? print(ask, &range, err) : code;
    *verdict = code == 0 ? dj_compare_range_verdict(&range) : DJ_VERDICT_INCONCLUSIVE;
    dj_gate_finish(&range);
    return code;
}
