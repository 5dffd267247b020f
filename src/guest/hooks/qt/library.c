#include "hooks/qt/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/count_of.h"
#include "hooks/hooks.h"

enum library { CORE, GUI, WAYLAND, LIBRARIES };

static const char *const sonames[DJ_QT_COUNT][LIBRARIES] = {
    [DJ_QT_5] = {"libQt5Core.so.5", "libQt5Gui.so.5", "libQt5WaylandClient.so.5"},
    [DJ_QT_6] = {"libQt6Core.so.6", "libQt6Gui.so.6", "libQt6WaylandClient.so.6"},
};

/* Symbol versions of each Qt. A look-up with a version ignores the other Qt. Unlike a
 * look-up in Qt's library, it also finds hooks of another preloaded object. */
static const char *const versions[DJ_QT_COUNT] = {[DJ_QT_5] = "Qt_5", [DJ_QT_6] = "Qt_6"};

static const struct {
    const char *name;
    enum library library;
} symbols[DJ_QT_SYMBOL_COUNT] = {
#define DJ_QT_ROW(symbol, name, library) [DJ_QT_##symbol] = {name, library},
    DJ_QT_MAP(DJ_QT_ROW)
#undef DJ_QT_ROW
};

static char missing; /* Dummy object: its address marks a function that is missing. */
static _Atomic(void *) found[DJ_QT_COUNT][DJ_QT_SYMBOL_COUNT];

_Atomic uintptr_t dj_qt_metas[DJ_QT_METAS];
_Atomic(void *) dj_qt_activate[DJ_QT_COUNT];

static void *open_library(const char *soname)
{
    return soname != NULL ? dj_real_open(soname) : NULL;
}

static bool is_loaded(enum dj_qt qt)
{
    void *handle = open_library(sonames[qt][CORE]);
    if (handle != NULL) {
        dlclose(handle);
    }
    return handle != NULL;
}

static void *look_up_symbol(enum dj_qt qt, enum dj_qt_symbol symbol, const void *caller)
{
    const char *name = symbols[symbol].name;
    void *function = versions[qt] != NULL ? dlvsym(RTLD_NEXT, name, versions[qt]) : NULL;
    if (function != NULL) {
        return function;
    }
    void *handle = open_library(sonames[qt][symbols[symbol].library]);
    if (handle != NULL) {
        function = dj_real_dlsym(handle, name);
        dlclose(handle);
    }
    return function != NULL ? function : dj_real_in_scope(name, caller);
}

void *dj_qt_find(enum dj_qt qt, enum dj_qt_symbol symbol, const void *caller)
{
    void *function = atomic_load_explicit(&found[qt][symbol], memory_order_acquire);
    if (function == NULL) {
        int saved_errno = errno;
        function = look_up_symbol(qt, symbol, caller);
        if (function == NULL) {
            function = &missing;
            dlerror(); /* Clears the error, because it is not an error of the app. */
        }
        atomic_store_explicit(&found[qt][symbol], function, memory_order_release);
        errno = saved_errno;
    }
    return function != &missing ? function : NULL;
}

/* Returns the Qt whose functions the caller's object calls, if both are loaded. */
static enum dj_qt find_bound_qt(const void *caller)
{
    Dl_info info;
    void *handle = dladdr(caller, &info) != 0 && info.dli_fname != NULL
                       ? open_library(info.dli_fname)
                       : NULL;
    /* Without a handle, the caller is the program itself. A look-up from the program
     * begins in the global scope. */
    if (handle == NULL) {
        return dj_real_in_scope(symbols[DJ_QT_ACTIVATE].name, NULL) ==
                       dj_qt_find(DJ_QT_5, DJ_QT_ACTIVATE, NULL)
                   ? DJ_QT_5
                   : DJ_QT_6;
    }
    const void *activate = dj_real_dlsym(handle, symbols[DJ_QT_ACTIVATE].name);
    dlclose(handle);
    return activate == dj_qt_find(DJ_QT_5, DJ_QT_ACTIVATE, NULL) ? DJ_QT_5 : DJ_QT_6;
}

static enum dj_qt find_qt(const void *caller)
{
    int saved_errno = errno;
    bool five = is_loaded(DJ_QT_5), six = is_loaded(DJ_QT_6);
    enum dj_qt qt = five && six ? find_bound_qt(caller)
                    : six       ? DJ_QT_6
                    : five      ? DJ_QT_5
                                : DJ_QT_OTHER;
    dlerror();
    errno = saved_errno;
    return qt;
}

/* A cache of call sites: addresses from which Qt functions were called. Each entry is
 * such an address, with the Qt that is called there in the bits above the address. */
enum { SITES = 512, TRIES = 4, QT_SHIFT = 56 };
static _Atomic uint64_t sites[SITES];

enum dj_qt dj_qt_of_caller(const void *caller)
{
    uint64_t address = (uintptr_t)caller & ((UINT64_C(1) << QT_SHIFT) - 1);
    uint64_t hash = address * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    size_t vacant = (size_t)hash % SITES;
    for (size_t i = 0; i < TRIES; i++) {
        size_t slot = (size_t)(hash + i) % SITES;
        uint64_t site = atomic_load_explicit(&sites[slot], memory_order_relaxed);
        if ((site & ((UINT64_C(1) << QT_SHIFT) - 1)) == address) {
            return (enum dj_qt)(site >> QT_SHIFT);
        }
        if (site == 0) {
            vacant = slot;
            break;
        }
    }
    enum dj_qt qt = find_qt(caller);
    atomic_store_explicit(&sites[vacant], address | (uint64_t)qt << QT_SHIFT,
                          memory_order_relaxed);
    return qt;
}

/* The classes whose signals are watched, with the names of these signals. */

static const struct {
    const char *name;
    unsigned kind;
    enum dj_qt_signal first, end;
} classes[] = {
    {"QQuickWindow", DJ_QT_QUICK_WINDOW, DJ_QT_AFTER_ANIMATING, DJ_QT_TITLE_CHANGED},
    {"QWindow", DJ_QT_WINDOW, DJ_QT_TITLE_CHANGED, DJ_QT_SIGNAL_COUNT},
};

static const char *const signals[DJ_QT_SIGNAL_COUNT] = {
    [DJ_QT_AFTER_ANIMATING] = "afterAnimating()",
    [DJ_QT_BEFORE_SYNCHRONIZING] = "beforeSynchronizing()",
    [DJ_QT_AFTER_SYNCHRONIZING] = "afterSynchronizing()",
    [DJ_QT_BEFORE_RENDERING] = "beforeRendering()",
    [DJ_QT_AFTER_RENDERING] = "afterRendering()",
    [DJ_QT_FRAME_SWAPPED] = "frameSwapped()",
    [DJ_QT_TITLE_CHANGED] = "windowTitleChanged(QString)",
    [DJ_QT_VISIBILITY_CHANGED] = "visibilityChanged(QWindow::Visibility)",
};

static _Atomic int numbers[DJ_QT_COUNT][DJ_QT_SIGNAL_COUNT];

/* Returns the Qt of a meta-object. In every Qt the third pointer of a meta-object is
 * `data`, and the first number in `data` is the revision of moc's output. */
static enum dj_qt get_qt_of_meta(const void *meta)
{
    const unsigned *data = ((const unsigned *const *)meta)[2];
    enum { LAST_OF_QT_4 = 6, LAST_OF_QT_5 = 8 };
    return data == NULL || data[0] <= LAST_OF_QT_4 ? DJ_QT_OTHER
           : data[0] <= LAST_OF_QT_5               ? DJ_QT_5
                                                   : DJ_QT_6;
}

/* Stores the numbers of the signals as moc's code passes them to activate(). Returns
 * false if a signal is missing. */
static bool read_signal_numbers(enum dj_qt qt, const void *meta, enum dj_qt_signal first,
                                enum dj_qt_signal end)
{
    int (*index_of)(const void *, const char *) =
        dj_qt_find(qt, DJ_QT_INDEX_OF_SIGNAL, NULL);
    int (*offset_of)(const void *) = dj_qt_find(qt, DJ_QT_METHOD_OFFSET, NULL);
    if (index_of == NULL || offset_of == NULL) {
        return false;
    }
    for (unsigned i = first; i < (unsigned)end; i++) {
        int number = index_of(meta, signals[i]) - offset_of(meta);
        if (number < 0) {
            return false;
        }
        atomic_store_explicit(&numbers[qt][i], number, memory_order_relaxed);
    }
    return true;
}

static unsigned identify_class(enum dj_qt qt, const void *meta)
{
    const char *(*name_of)(const void *) =
        qt != DJ_QT_OTHER ? dj_qt_find(qt, DJ_QT_CLASS_NAME, NULL) : NULL;
    const char *name = name_of != NULL ? name_of(meta) : NULL;
    for (size_t i = 0; name != NULL && i < COUNT_OF(classes); i++) {
        if (strcmp(name, classes[i].name) == 0 &&
            read_signal_numbers(qt, meta, classes[i].first, classes[i].end)) {
            return classes[i].kind + (qt - DJ_QT_5);
        }
    }
    return qt;
}

unsigned dj_qt_kind_of(const void *meta, const void *caller)
{
    uintptr_t known = dj_qt_known_kind(meta);
    if (known < DJ_QT_KIND_COUNT) {
        return (unsigned)known;
    }
    int saved_errno = errno;
    enum dj_qt qt = get_qt_of_meta(meta);
    void *activate = dj_qt_find(qt, DJ_QT_ACTIVATE, caller);
    unsigned kind = identify_class(qt, meta);
    if (activate != NULL && ((uintptr_t)meta & 7) == 0) {
        atomic_store_explicit(&dj_qt_activate[qt], activate, memory_order_relaxed);
        /* Pairs with the acquire load in dj_qt_known_kind(). */
        atomic_store_explicit(&dj_qt_metas[dj_qt_meta_slot(meta)], (uintptr_t)meta | kind,
                              memory_order_release);
    }
    errno = saved_errno;
    return kind;
}

enum dj_qt_signal dj_qt_signal_of(unsigned kind, int number)
{
    if (kind < DJ_QT_COUNT) {
        return DJ_QT_SIGNAL_COUNT;
    }
    enum dj_qt qt = dj_qt_of_kind(kind);
    size_t row = kind >= DJ_QT_WINDOW ? 1 : 0;
    for (unsigned i = classes[row].first; i < (unsigned)classes[row].end; i++) {
        if (atomic_load_explicit(&numbers[qt][i], memory_order_relaxed) == number) {
            return (enum dj_qt_signal)i;
        }
    }
    return DJ_QT_SIGNAL_COUNT;
}
