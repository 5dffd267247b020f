/* The list of jank rules for people. Module jank computes them, and the form DJ_FORM_JANK
 * of dump_forms.h prints their figures. */
#ifndef DEJANK_REPORT_JANK_RULES_H
#define DEJANK_REPORT_JANK_RULES_H

#include "base/text.h"

/* Appends a line per rule: its slug, name, unit, formula and source. */
void dj_report_list_jank_rules(struct dj_text *text);

#endif
