/* Judges a build for the page of a gate and its JSON. */
#ifndef DEJANK_SERVE_GATED_H
#define DEJANK_SERVE_GATED_H

#include "gate/gate.h"
#include "plan/gate_request.h"
#include "report/gate.h"
#include "serve/router.h"

/* Initialise it with zeros. */
struct dj_gated {
    struct dj_gate_options options;
    const char *lists[2][16]; /* The metrics and the objectives. */
    struct dj_gate_request request;
    struct dj_gate gate;
    struct dj_gate_report report;
};

/* Judges the build of the parameters: candidate, baseline, project, flow, device, metric,
 * objective, margin, alpha and stale, as the options of `dejank gate`. Call
 * dj_serve_finish_gated() in every case. */
int dj_serve_gate(const struct dj_call *call, struct dj_gated *gated,
                  struct dj_error *err);
void dj_serve_finish_gated(struct dj_gated *gated);

#endif
