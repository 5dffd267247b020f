/* Reads a plan from its file. */
#ifndef DEJANK_PLAN_READ_FILE_H
#define DEJANK_PLAN_READ_FILE_H

#include "base/messages.h"
#include "plan/plan.h"

/*
 * Reads and checks a plan. Sends a message for each fault, or for the reason if the file
 * cannot be read. Finish the plan in every case; *bytes, which the caller finishes, must
 * outlive it. DJ_E_USAGE: the plan has faults; DJ_E_NO_DATA: the file cannot be read.
 */
int dj_plan_read_file(const char *file, const struct dj_messages *messages,
                      struct dj_text *bytes, struct dj_plan *plan);

#endif
