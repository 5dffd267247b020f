/* Judges a build for the gate page and for its JSON. */
#ifndef DEJANK_SERVE_GATED_H
#define DEJANK_SERVE_GATED_H

#include "gate/gate.h"
#include "plan/gate_request.h"
#include "report/gate.h"
#include "serve/router.h"

/* Maximum number of values of the parameters metric and objective. */
enum { DJ_GATED_VALUES_MAX = 16 };

/* The result of dj_serve_gate(). Zero the struct before use. */
struct dj_gated {
    struct dj_gate_options options;
    const char *lists[2][DJ_GATED_VALUES_MAX]; /* The values of the parameters metric and
                                                  objective. */
    struct dj_gate_request request;
    struct dj_gate gate;
    struct dj_gate_report report;
};

/* Judges a build. The parameters of the request are candidate, baseline, project, flow,
 * device, metric, objective, margin, alpha and stale. They mean the same as the options
 * of `dejank gate`. Call dj_serve_finish_gated() even after an error. */
int dj_serve_gate(const struct dj_call *call, struct dj_gated *gated,
                  struct dj_error *err);
void dj_serve_finish_gated(struct dj_gated *gated);

#endif
