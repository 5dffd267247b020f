#include "report/longest.h"

size_t dj_view_longest(const struct dj_view *view, size_t longest[DJ_LONGEST_FRAMES])
{
    size_t kept = 0;
    for (size_t i = 0; i < view->frame_count; i++) {
        size_t at = kept;
        while (at > 0 && view->frames[longest[at - 1]].frame_time_ns <
                             view->frames[i].frame_time_ns) {
            at--;
        }
        if (at == DJ_LONGEST_FRAMES) {
            continue;
        }
        kept += kept < DJ_LONGEST_FRAMES;
        for (size_t k = kept - 1; k > at; k--) {
            longest[k] = longest[k - 1];
        }
        longest[at] = i;
    }
    return kept;
}

enum dj_stage dj_longest_stage(const struct dj_stages *stages)
{
    size_t longest = DJ_STAGE_COUNT;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        bool counts = (stages->known & (1U << i)) != 0 && i != DJ_STAGE_WAIT;
        if (counts &&
            (longest == DJ_STAGE_COUNT || stages->ns[i] > stages->ns[longest])) {
            longest = i;
        }
    }
    return (enum dj_stage)longest;
}
