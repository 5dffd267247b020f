#include "frame/findings_text.h"

static const struct dj_frame_finding_text texts[DJ_FINDING_COUNT] = {
    [DJ_FINDING_UI_THREAD_LATE] =
        {"UI thread started the frame late",
         "Something else ran on the UI thread when the frame should "
         "have started. Look for I/O, locks, binder calls and long "
         "messages just before these frames."},
    [DJ_FINDING_INPUT_HANDLING] =
        {"Slow input handling",
         "Check the touch and click listeners, and move their work off "
         "the UI thread. A click that opens a new screen may take this "
         "long."},
    [DJ_FINDING_ANIMATION] = {"Slow animation callbacks",
                              "Check custom animators and frame callbacks. Animate "
                              "translation, scale and alpha, which are cheap, instead of "
                              "properties that cause a layout."},
    [DJ_FINDING_LAYOUT_IN_MOTION] =
        {"Layout during a scroll or animation",
         "A scroll or animation should need almost no layout. Look for "
         "requestLayout(), for views that are bound or inflated "
         "meanwhile, and for nested layouts that measure twice."},
    [DJ_FINDING_DRAW] = {"Slow recording of draw commands",
                         "Look for views that are invalidated without need, and for "
                         "onDraw() methods that allocate, decode images or draw to a "
                         "bitmap."},
    [DJ_FINDING_RENDER_THREAD_BUSY] =
        {"Render thread busy with an earlier frame",
         "These frames waited in a queue. Look at the frame before "
         "each of them, not at these."},
    [DJ_FINDING_SYNC] = {"Slow sync with the render thread",
                         "This stage uploads new bitmaps to the GPU. Check image sizes "
                         "and cache misses, and upload bitmaps earlier."},
    [DJ_FINDING_DRAW_COMMANDS] =
        {"Slow execution of draw commands",
         "Look for overdraw, large blurs, shadows, clips and layers in "
         "these frames."},
    [DJ_FINDING_DEQUEUE_BUFFER] =
        {"Waited for a free buffer",
         "The display or the GPU still used all buffers. Earlier "
         "frames were late, or the app draws frames faster than the "
         "display shows them."},
    [DJ_FINDING_QUEUE_BUFFER] =
        {"Slow queueing of the buffer",
         "The compositor was slow to accept the buffer. Check the load "
         "of the whole system, not only of the app."},
    [DJ_FINDING_GPU] = {"GPU slower than the display",
                        "Check overdraw, shaders and effects that cover much of the "
                        "screen, and the GPU's clock rate and temperature."},
    [DJ_FINDING_DEADLINE_MISSED] =
        {"Missed deadline",
         "These frames were shown late. Start with their longest stage."},
    [DJ_FINDING_INPUT_LATENCY] =
        {"High input latency",
         "The screen lagged behind the finger. Look for frames that "
         "wait in a queue, and for input that is handled late."},
    [DJ_FINDING_HANG] = {"Hang of 10 s or more",
                         "The app drew nothing during this time. Look for an ANR and "
                         "its stack traces, for deadlocks, and for I/O on the UI "
                         "thread."},
};

const struct dj_frame_finding_text *dj_frame_finding_get_text(enum dj_finding_id id)
{
    return &texts[id];
}
