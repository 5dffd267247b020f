/* A program for GTK 3 or 4 with known frames. Every so many frames, a frame uses CPU
 * time in the requested stage. Prints for each frame "frame I took_ms T", where T is
 * the duration of this work, or 0. At the end prints "done N". */
#include <gtk/gtk.h>
#include <stdio.h>
#include <time.h>

#include <epoxy/gl.h>
#ifdef GDK_WINDOWING_X11
#include <X11/Xlib.h>
#endif

#define FOUR (GTK_MAJOR_VERSION == 4)

static struct {
    char *stage;     /* Stage that uses CPU time: update, layout, draw or input. */
    int burn_ms;     /* Duration of the work in ms, or 0 for none. */
    int every;       /* Number of frames from one such frame to the next. */
    int frames;      /* Number of frames until the program ends. */
    int pace_ms;     /* Time from frame to frame in ms, or 0 for the rate of the frame
                      * clock. */
    int nested_from; /* First frame in a nested main loop, or 0 for none. */
    int windows;
    gboolean gl, hide, rename;
    gboolean thread; /* Run GTK in another thread than main(). */
} scene = {.stage = "layout", .every = 5, .frames = 100, .windows = 1};

static GOptionEntry entries[] = {
    {"stage", 0, 0, G_OPTION_ARG_STRING, &scene.stage, NULL, NULL},
    {"burn", 0, 0, G_OPTION_ARG_INT, &scene.burn_ms, NULL, NULL},
    {"every", 0, 0, G_OPTION_ARG_INT, &scene.every, NULL, NULL},
    {"frames", 0, 0, G_OPTION_ARG_INT, &scene.frames, NULL, NULL},
    {"pace", 0, 0, G_OPTION_ARG_INT, &scene.pace_ms, NULL, NULL},
    {"nested-from", 0, 0, G_OPTION_ARG_INT, &scene.nested_from, NULL, NULL},
    {"windows", 0, 0, G_OPTION_ARG_INT, &scene.windows, NULL, NULL},
    {"gl", 0, 0, G_OPTION_ARG_NONE, &scene.gl, NULL, NULL},
    {"hide", 0, 0, G_OPTION_ARG_NONE, &scene.hide, NULL, NULL},
    {"thread", 0, 0, G_OPTION_ARG_NONE, &scene.thread, NULL, NULL},
    {"rename", 0, 0, G_OPTION_ARG_NONE, &scene.rename, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static GtkWidget *window[8], *content[8];
static GMainLoop *loops[2];
static int frame, drawn;
static double took_ms[100000];

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Uses CPU time if this frame has work in this stage. */
static void work(const char *stage)
{
    if (scene.burn_ms == 0 || strcmp(scene.stage, stage) != 0 || took_ms[frame] > 0 ||
        frame % scene.every != scene.every - 1) {
        return;
    }
    double begin_ms = now_ms();
    while (now_ms() - begin_ms < scene.burn_ms) {
    }
    took_ms[frame] = now_ms() - begin_ms;
}

static void finish_frame(void)
{
    if (drawn++ % scene.windows != scene.windows - 1 || frame >= scene.frames) {
        return;
    }
    printf("frame %d took_ms %.3f\n", frame, took_ms[frame]);
    frame++;
}

typedef struct {
#if FOUR
    GtkWidget parent;
#else
    GtkDrawingArea parent;
#endif
} Scene;
typedef struct {
#if FOUR
    GtkWidgetClass parent;
#else
    GtkDrawingAreaClass parent;
#endif
} SceneClass;
#if FOUR
G_DEFINE_TYPE(Scene, scene, GTK_TYPE_WIDGET)
#else
G_DEFINE_TYPE(Scene, scene, GTK_TYPE_DRAWING_AREA)
#endif

#if FOUR
static void allocate(GtkWidget *widget, int width, int height, int baseline)
{
    GTK_WIDGET_CLASS(scene_parent_class)->size_allocate(widget, width, height, baseline);
    work("layout");
}

static void draw(GtkWidget *widget, GtkSnapshot *snapshot)
{
    GdkRGBA colour = {(float)(frame % 2), 0.5F, 0.2F, 1};
    graphene_rect_t whole = GRAPHENE_RECT_INIT(0, 0, (float)gtk_widget_get_width(widget),
                                               (float)gtk_widget_get_height(widget));
    gtk_snapshot_append_color(snapshot, &colour, &whole);
    work("draw");
    finish_frame();
}
#else
static void allocate(GtkWidget *widget, GtkAllocation *allocation)
{
    GTK_WIDGET_CLASS(scene_parent_class)->size_allocate(widget, allocation);
    work("layout");
}

static gboolean draw(GtkWidget *widget, cairo_t *cairo)
{
    (void)widget;
    cairo_set_source_rgb(cairo, frame % 2, 0.5, 0.2);
    cairo_paint(cairo);
    work("draw");
    finish_frame();
    return FALSE;
}
#endif

static void scene_init(Scene *self)
{
    (void)self;
}

static void scene_class_init(SceneClass *class)
{
    GTK_WIDGET_CLASS(class)->size_allocate = allocate;
#if FOUR
    GTK_WIDGET_CLASS(class)->snapshot = draw;
#else
    GTK_WIDGET_CLASS(class)->draw = draw;
#endif
}

static gboolean render(GtkGLArea *area, GdkGLContext *context)
{
    (void)area;
    (void)context;
    glClearColor((float)(frame % 2), 0.5F, 0.2F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    work("draw");
    finish_frame();
    return TRUE;
}

static gboolean run_nested(void *data)
{
    (void)data;
    loops[1] = g_main_loop_new(NULL, FALSE);
    g_main_loop_run(loops[1]);
    return G_SOURCE_REMOVE;
}

static void quit(void)
{
    for (int i = 0; i < 2; i++) {
        if (loops[i] != NULL) {
            g_main_loop_quit(loops[i]);
        }
    }
}

/* Requests the next frame. */
static void step(GtkWidget *widget)
{
    if (frame >= scene.frames) {
        quit();
        return;
    }
    if (scene.nested_from > 0 && frame == scene.nested_from && loops[1] == NULL) {
        g_idle_add(run_nested, NULL);
    }
    if (scene.rename && frame == scene.frames / 2) {
        gtk_window_set_title(GTK_WINDOW(window[0]), "renamed");
    }
    gtk_widget_queue_resize(widget);
    if (scene.gl) {
        gtk_gl_area_queue_render(GTK_GL_AREA(widget));
    }
    gtk_widget_queue_draw(widget);
}

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, void *data)
{
    (void)clock;
    (void)data;
    step(widget);
    work("update");
    return G_SOURCE_CONTINUE;
}

#ifdef GDK_WINDOWING_X11
/* Moves the pointer through the X server, so that the server sets the time stamps. */
static void move_pointer(void)
{
    static Display *display;
    static int x;
    display = display == NULL ? XOpenDisplay(NULL) : display;
    x = x % 100 + 7;
    XWarpPointer(display, None, DefaultRootWindow(display), 0, 0, 0, 0, 30 + x, 60);
    XFlush(display);
}

#if FOUR
static void moved(GtkEventControllerMotion *controller, double x, double y, void *data)
{
    (void)controller, (void)x, (void)y;
    work("input");
    step(data);
}

static void watch_pointer(GtkWidget *widget)
{
    GtkEventController *controller = gtk_event_controller_motion_new();
    g_signal_connect(controller, "motion", G_CALLBACK(moved), widget);
    gtk_widget_add_controller(widget, controller);
}
#else
static gboolean moved(GtkWidget *widget, GdkEvent *event, void *data)
{
    (void)event, (void)data;
    work("input");
    step(widget);
    return TRUE;
}

static void watch_pointer(GtkWidget *widget)
{
    gtk_widget_add_events(widget, GDK_POINTER_MOTION_MASK);
    g_signal_connect(widget, "motion-notify-event", G_CALLBACK(moved), NULL);
}
#endif
#else
static void move_pointer(void)
{
}
static void watch_pointer(GtkWidget *widget)
{
    (void)widget;
}
#endif

static gboolean paced(void *data)
{
    (void)data;
    if (strcmp(scene.stage, "input") == 0 && frame < scene.frames) {
        move_pointer();
        return G_SOURCE_CONTINUE;
    }
    for (int i = 0; i < scene.windows; i++) {
        step(content[i]);
    }
    return G_SOURCE_CONTINUE;
}

static void open_window(int i)
{
#if FOUR
    window[i] = gtk_window_new();
#else
    window[i] = gtk_window_new(GTK_WINDOW_TOPLEVEL);
#endif
    char title[32];
    snprintf(title, sizeof(title), "scene %d", i + 1);
    gtk_window_set_title(GTK_WINDOW(window[i]), title);
    gtk_window_set_default_size(GTK_WINDOW(window[i]), 200, 150);
    content[i] = scene.gl ? gtk_gl_area_new() : g_object_new(scene_get_type(), NULL);
    if (scene.gl) {
        gtk_gl_area_set_auto_render(GTK_GL_AREA(content[i]), FALSE);
        g_signal_connect(content[i], "render", G_CALLBACK(render), NULL);
    }
    watch_pointer(content[i]);
    if (scene.pace_ms == 0) {
        gtk_widget_add_tick_callback(content[i], tick, NULL, NULL);
    }
#if FOUR
    gtk_window_set_child(GTK_WINDOW(window[i]), content[i]);
    gtk_window_present(GTK_WINDOW(window[i]));
#else
    gtk_container_add(GTK_CONTAINER(window[i]), content[i]);
    gtk_widget_show_all(window[i]);
#endif
}

static int run(void)
{
#if FOUR
    gtk_init();
#else
    gtk_init(NULL, NULL);
#endif
    if (scene.frames == 0) {
        return 3;
    }
    loops[0] = g_main_loop_new(NULL, FALSE);
    for (int i = 0; i < scene.windows; i++) {
        open_window(i);
    }
    if (scene.pace_ms != 0) {
        g_timeout_add((guint)scene.pace_ms, paced, NULL);
    }
    g_main_loop_run(loops[0]);
    for (int i = 0; scene.hide && i < scene.windows; i++) {
#if FOUR
        gtk_widget_set_visible(window[i], FALSE);
        gtk_window_destroy(GTK_WINDOW(window[i]));
#else
        gtk_widget_hide(window[i]);
        gtk_widget_destroy(window[i]);
#endif
    }
    printf("done %d\n", frame);
    return 0;
}

static void *run_there(void *status)
{
    *(int *)status = run();
    return NULL;
}

int main(int count, char **words)
{
    GOptionContext *options = g_option_context_new(NULL);
    g_option_context_add_main_entries(options, entries, NULL);
    if (!g_option_context_parse(options, &count, &words, NULL)) {
        return 2;
    }
    int status = 0;
    if (scene.thread) {
        g_thread_join(g_thread_new("gtk", run_there, &status));
    } else {
        status = run();
    }
    return status;
}
