#include "frame/findings_text.h"

static const struct dj_frame_finding_text texts[DJ_FINDING_COUNT] = {
    [DJ_FINDING_UI_THREAD_LATE] = {"UI thread late for the vsync",
                                   "Something ran on the UI thread when the frame should "
                                   "have begun: look for I/O, locks, binder calls and "
                                   "long messages just before these frames."},
    [DJ_FINDING_INPUT_HANDLING] = {"Slow input handling",
                                   "Look at what touch and click listeners do, and move "
                                   "their work off the UI thread; a click that opens a "
                                   "new screen may take this long."},
    [DJ_FINDING_ANIMATION] = {"Slow animation callbacks",
                              "Look at custom animators, at frame callbacks and at which "
                              "properties are animated: those that cause a layout are "
                              "dear, translation, scale and alpha are cheap."},
    [DJ_FINDING_LAYOUT_IN_MOTION] = {"Layout while things move",
                                     "A scroll or animation should need next to no "
                                     "layout: look for requestLayout(), for views bound "
                                     "or inflated on the way, and for nested layouts "
                                     "that measure twice."},
    [DJ_FINDING_DRAW] = {"Slow recording of the drawing",
                         "Look for views that are invalidated without need, and for "
                         "onDraw() methods that allocate, decode or draw to a bitmap."},
    [DJ_FINDING_RENDER_THREAD_BUSY] = {"Render thread busy with an earlier frame",
                                       "These frames had to queue: look at the frame "
                                       "before each of them, not at these."},
    [DJ_FINDING_SYNC] = {"Slow sync with the render thread",
                         "Many or large new bitmaps go to the GPU here: look at image "
                         "sizes, at caches that miss, and upload them ahead of time."},
    [DJ_FINDING_DRAW_COMMANDS] = {"Much work for render thread and GPU",
                                  "Look for overdraw, large blurs, shadows, clips and "
                                  "layers on these frames."},
    [DJ_FINDING_DEQUEUE_BUFFER] = {"Waited for a free buffer",
                                   "Display or GPU still held all buffers: frames before "
                                   "these were late, or frames are made faster than the "
                                   "display shows them."},
    [DJ_FINDING_QUEUE_BUFFER] =
        {"Slow hand-over of the buffer",
         "The compositor was slow to take the buffer: look at the "
         "load of the whole system, not at the app alone."},
    [DJ_FINDING_GPU] = {"GPU slower than the display",
                        "Look at overdraw, at shaders and effects that cover much of the "
                        "screen, and at the GPU's clock and temperature."},
    [DJ_FINDING_DEADLINE_MISSED] = {"Ready after the deadline",
                                    "These frames were shown late: look at which stage "
                                    "of each is the longest."},
    [DJ_FINDING_INPUT_LATENCY] = {"Long way from input to frame",
                                  "The finger was ahead of the picture: look for frames "
                                  "that queue up, and for input that is handled late."},
    [DJ_FINDING_HANG] = {"Hang of 10 s or more",
                         "The app drew nothing in this time: look for an ANR with its "
                         "stack traces, for deadlocks, and for I/O on the UI thread."},
};

const struct dj_frame_finding_text *dj_frame_finding_get_text(enum dj_finding_id id)
{
    return &texts[id];
}
