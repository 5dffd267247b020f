/* Finds the parts of Qt that the hooks need: the major version of a call, the real
 * functions, and the meta-objects whose signals describe frames. Both major versions
 * may be loaded into one process by different plugins, and each call continues in its
 * own version. */
#ifndef DEJANK_HOOKS_QT_LIBRARY_H
#define DEJANK_HOOKS_QT_LIBRARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum dj_qt {
    DJ_QT_OTHER, /* Qt 4, or a Qt with renamed symbols. Its calls are passed on and not
                  * inspected. */
    DJ_QT_5,
    DJ_QT_6,
    DJ_QT_COUNT
};

/* X(symbol, mangled name, library) */
#define DJ_QT_MAP(X)                                                                     \
    X(ACTIVATE, "_ZN11QMetaObject8activateEP7QObjectPKS_iPPv", CORE)                     \
    X(SEND_EVENT, "_ZN16QCoreApplication9sendEventEP7QObjectP6QEvent", CORE)             \
    X(SEND_SPONTANEOUS_EVENT,                                                            \
      "_ZN16QCoreApplication20sendSpontaneousEventEP7QObjectP6QEvent", CORE)             \
    X(REQUEST_UPDATE, "_ZN7QWindow13requestUpdateEv", GUI)                               \
    X(WAIT_FOR_FRAME_SYNC, "_ZN15QtWaylandClient14QWaylandWindow16waitForFrameSyncEi",   \
      WAYLAND)                                                                           \
    X(CLASS_NAME, "_ZNK11QMetaObject9classNameEv", CORE)                                 \
    X(INDEX_OF_SIGNAL, "_ZNK11QMetaObject13indexOfSignalEPKc", CORE)                     \
    X(METHOD_OFFSET, "_ZNK11QMetaObject12methodOffsetEv", CORE)                          \
    X(STRING_ASSIGN, "_ZN7QStringaSERKS_", CORE)                                         \
    X(SHARED_NULL, "_ZN10QArrayData11shared_nullE", CORE)                                \
    X(WINDOW_HANDLE, "_ZNK7QWindow6handleEv", GUI)                                       \
    X(WINDOW_TITLE, "_ZNK7QWindow5titleEv", GUI)                                         \
    X(WINDOW_SCREEN, "_ZNK7QWindow6screenEv", GUI)                                       \
    X(WINDOW_VISIBILITY, "_ZNK7QWindow10visibilityEv", GUI)                              \
    X(SCREEN_REFRESH_RATE, "_ZNK7QScreen11refreshRateEv", GUI)

enum dj_qt_symbol {
#define DJ_QT_SYMBOL(symbol, name, library) DJ_QT_##symbol,
    DJ_QT_MAP(DJ_QT_SYMBOL)
#undef DJ_QT_SYMBOL
        DJ_QT_SYMBOL_COUNT
};

/* Returns a function of this Qt, or NULL if the function is missing. `caller` is an
 * address in the hook's caller, or NULL. It is used to find the libraries of a Qt with
 * other library names. The result is cached. */
void *dj_qt_find(enum dj_qt qt, enum dj_qt_symbol symbol, const void *caller);

/* QMetaObject::activate() of each Qt. It is set once a meta-object of that Qt is
 * known. */
extern _Atomic(void *) dj_qt_activate[DJ_QT_COUNT];

/* Returns which Qt (5 or 6) the object that contains this address calls. */
enum dj_qt dj_qt_of_caller(const void *caller);

/* Kind of the class that sends a signal. A value below DJ_QT_COUNT means a class that is
 * unrelated to frames. The value is then its enum dj_qt. */
enum dj_qt_kind {
    /* Symbol of Qt 5. The next value is the symbol of Qt 6. */
    DJ_QT_QUICK_WINDOW = DJ_QT_COUNT,
    DJ_QT_WINDOW = DJ_QT_QUICK_WINDOW + 2,
    DJ_QT_KIND_COUNT = DJ_QT_WINDOW + 2
};

_Static_assert((int)DJ_QT_KIND_COUNT <= 8, "a kind fits below an aligned address");

static inline enum dj_qt dj_qt_of_kind(unsigned kind)
{
    return kind < DJ_QT_COUNT ? (enum dj_qt)kind
                              : (enum dj_qt)(DJ_QT_5 + (kind - DJ_QT_COUNT) % 2);
}

/* A cache of meta-objects. Each entry is the address of a meta-object, with its kind
 * in the three lowest bits. */
enum { DJ_QT_METAS = 1024 };
extern _Atomic uintptr_t dj_qt_metas[DJ_QT_METAS];

static inline unsigned dj_qt_meta_slot(const void *meta)
{
    uintptr_t address = (uintptr_t)meta;
    return (unsigned)(address >> 4 ^ address >> 14) & (DJ_QT_METAS - 1);
}

/* Returns the kind of a cached meta-object, or a value of at least DJ_QT_KIND_COUNT if
 * the meta-object is not cached. */
static inline uintptr_t dj_qt_known_kind(const void *meta)
{
    /* Pairs with the release store in dj_qt_kind_of(), which comes after the store to
     * dj_qt_activate. */
    return atomic_load_explicit(&dj_qt_metas[dj_qt_meta_slot(meta)],
                                memory_order_acquire) ^
           (uintptr_t)meta;
}

/* Returns the kind of any meta-object, and caches it. `caller` has the same meaning as
 * for dj_qt_find(). */
unsigned dj_qt_kind_of(const void *meta, const void *caller);

/* Signals of frames and windows. Qt's own numbers of these signals differ between
 * releases. */
enum dj_qt_signal {
    DJ_QT_AFTER_ANIMATING,
    DJ_QT_BEFORE_SYNCHRONIZING,
    DJ_QT_AFTER_SYNCHRONIZING,
    DJ_QT_BEFORE_RENDERING,
    DJ_QT_AFTER_RENDERING,
    DJ_QT_FRAME_SWAPPED,
    DJ_QT_TITLE_CHANGED,
    DJ_QT_VISIBILITY_CHANGED,
    DJ_QT_SIGNAL_COUNT
};

/* Returns the signal with this number, or DJ_QT_SIGNAL_COUNT for any other signal. */
enum dj_qt_signal dj_qt_signal_of(unsigned kind, int number);

#endif
