/* The cost of a tracepoint of LTTng-UST in a session that records it, in the shortest
 * round. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "frame_times.h"
#include "lttng_provider.h"

#include <stdint.h>
#include <stdio.h>

enum { ROUNDS = 41, CALLS = 20000 };

int main(void)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t start_ns = now_ns();
        for (int i = 0; i < CALLS; i++) {
            lttng_ust_tracepoint(dejank_bench, begin, "layout");
        }
        double ns = (double)(now_ns() - start_ns) / CALLS;
        best = ns < best ? ns : best;
    }
    printf("%.1f\n", best);
    return 0;
}
