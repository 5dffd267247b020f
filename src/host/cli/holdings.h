/* What an input holds, for a form that shows rows and found none of them: it says so, and
 * which form shows what there is. */
#ifndef DEJANK_CLI_HOLDINGS_H
#define DEJANK_CLI_HOLDINGS_H

#include "cli/forms.h"
#include "report/parsed.h"

/* Zero it before each input. */
struct dj_holdings {
    size_t shown;           /* rows that the form put */
    size_t frames, profile; /* rows of framestats and of the simple dump, cut ones too */
    size_t sums;            /* statistics blocks that counted frames */
    size_t packages;        /* entries of graphicsstats */
    size_t daveys;
};

void dj_holdings_add(struct dj_holdings *holdings, const struct dj_parsed *parsed);

/* Appends why the form shows no row of the input, and what would show something; nothing
 * where it showed one, is no form of rows, or the input holds nothing at all, of which
 * others complain. */
void dj_holdings_describe(struct dj_text *text, const struct dj_holdings *holdings,
                          enum dj_form form);

#endif
