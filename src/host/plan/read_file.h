/* Reads a plan from its file. */
#ifndef DEJANK_PLAN_READ_FILE_H
#define DEJANK_PLAN_READ_FILE_H

#include "base/messages.h"
#include "plan/plan.h"

/* Reads and checks a plan. Sends a message for each fault of the plan, or the reason if
 * the file cannot be read. *bytes receives the content of the file and must outlive the
 * plan. Call dj_plan_finish() and dj_text_finish() in every case. Returns DJ_E_USAGE if
 * the plan has faults, or DJ_E_NO_DATA if the file cannot be read. */
int dj_plan_read_file(const char *file, const struct dj_messages *messages,
                      struct dj_text *bytes, struct dj_plan *plan);

#endif
