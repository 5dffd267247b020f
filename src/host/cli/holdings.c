#include "cli/holdings.h"

static bool counted(const struct dj_stats_block *block)
{
    return block->present && block->stats.counter[DJ_COUNTER_TOTAL] > 0;
}

void dj_holdings_add(struct dj_holdings *holdings, const struct dj_parsed *parsed)
{
    const struct dj_dump *dump = &parsed->dump;
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        holdings->sums += counted(&process->stats);
        for (size_t k = 0; k < process->window_count; k++) {
            const struct dj_dump_window *window = &process->windows[k];
            holdings->sums += counted(&window->stats);
            holdings->frames += window->frame_count;
            holdings->profile += window->profile_count;
        }
    }
    holdings->packages += dump->graphicsstats_count;
    holdings->daveys += dump->davey_count;
}

/* "2 rows of the simple dump (--csv=profile)", after a comma where it is not the first.
 */
static void put_part(struct dj_text *text, bool *any, size_t count, const char *one,
                     const char *more, const char *shown_by)
{
    if (count > 0) {
        dj_text_format(text, "%s%zu %s (%s)", *any ? ", " : " it holds ", count,
                       count == 1 ? one : more, shown_by);
        *any = true;
    }
}

void dj_holdings_describe(struct dj_text *text, const struct dj_holdings *holdings,
                          enum dj_form form)
{
    static const char plain[] = "dejank parse without options shows them";
    static const struct {
        const char *lacks; /* NULL: it is no form of rows */
        const char *frames_by, *profile_by;
    } forms[] = {
        [DJ_FORM_PAGE] = {0},
        [DJ_FORM_JSON] = {0},
        [DJ_FORM_CSV] = {"no complete framestats row, so the CSV has none",
                         "cut; --frames shows them", "--csv=profile shows them"},
        [DJ_FORM_CSV_PROFILE] =
            {"no complete row of the simple dump, so the CSV has none",
             "--csv shows them", "cut; --json --rows shows them"},
        [DJ_FORM_TABLE] = {"no framestats row, so the table has none", "",
                           "--csv=profile shows them"},
    };
    bool any = false;
    if (forms[form].lacks == NULL || holdings->shown > 0 ||
        holdings->frames + holdings->profile + holdings->sums + holdings->packages +
                holdings->daveys ==
            0) {
        return;
    }
    dj_text_format(text, "%s;", forms[form].lacks);
    put_part(text, &any, holdings->frames, "framestats row", "framestats rows",
             forms[form].frames_by);
    put_part(text, &any, holdings->profile, "row of the simple dump",
             "rows of the simple dump", forms[form].profile_by);
    put_part(text, &any, holdings->sums, "statistics block", "statistics blocks", plain);
    put_part(text, &any, holdings->packages, "graphicsstats entry",
             "graphicsstats entries", plain);
    put_part(text, &any, holdings->daveys, "Davey! line", "Davey! lines", plain);
}
