/* A Qt Quick scene with known frames. A box moves, and in every so many frames
 * something uses CPU time at a known place. At the end prints the frame and the duration
 * of each such work, and the number of frames. With --destroy, another window is
 * replaced again and again.
 *
 *     quick [--at sync|render|animation|polish|timer|input] [--ms 12] [--every 5]
 *           [--frames 100] [--windows 1] [--burst-ms 0 --idle-ms 0] [--destroy] */
#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtGui/QGuiApplication>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickWindow>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/* Delivers keys through the queue of the window system, like QtTest. */
Q_GUI_EXPORT void qt_handleKeyEvent(QWindow *window, QEvent::Type type, int key,
                                    Qt::KeyboardModifiers modifiers,
                                    const QString &text = QString(), bool repeated = false,
                                    ushort count = 1);

namespace {

struct Options {
    std::string at;
    double ms = 12;
    int every = 5;
    int frames = 100;
    int windows = 1;
    int burstMs = 0;
    int idleMs = 0;
    bool destroy = false;
};

struct Burnt {
    int frame;
    double ms;
};

std::mutex guard;
std::vector<Burnt> burnt;

double nowMs()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Uses CPU time. A sleep would count as a wait of the event loop. */
void burn(int frame, double ms)
{
    const double begin = nowMs();
    while (nowMs() - begin < ms) {
    }
    const std::lock_guard<std::mutex> lock(guard);
    burnt.push_back({frame, nowMs() - begin});
}

class Polished : public QQuickItem
{
public:
    std::function<void()> act;

protected:
    void updatePolish() override { act(); }
};

class Scene : public QQuickWindow
{
public:
    Scene(QQmlEngine *engine, const Options &options, bool counted)
        : options(options)
    {
        resize(200, 150);
        setTitle(counted ? QStringLiteral("Planted") : QStringLiteral("Other"));
        QQmlComponent component(engine);
        component.setData("import QtQuick 2.0\n"
                          "Rectangle { id: box; width: 50; height: 50; color: 'red'\n"
                          "  property int burst: 0; property int idle: 0\n"
                          "  NumberAnimation on x { id: moving; from: 0; to: 100\n"
                          "    duration: box.burst > 0 ? box.burst : 700\n"
                          "    loops: box.burst > 0 ? 1 : Animation.Infinite }\n"
                          "  Timer { interval: box.burst + box.idle; repeat: true\n"
                          "    running: box.burst > 0; onTriggered: moving.restart() } }",
                          QUrl());
        box.reset(qobject_cast<QQuickItem *>(component.createWithInitialProperties(
            {{"burst", options.burstMs}, {"idle", options.idleMs}})));
        if (!box) {
            fprintf(stderr, "quick: %s\n", qPrintable(component.errorString()));
            exit(1);
        }
        box->setParentItem(contentItem());
        polished.setParentItem(contentItem());
        if (counted) {
            plant();
        }
    }

    /* The number of the frame that was synchronised last. It is not a count of
     * synchronisations, because not each synchronised frame is drawn. */
    std::atomic<int> underWay{0};
    std::atomic<int> swapped{0};

protected:
    void keyPressEvent(QKeyEvent *) override
    {
        burn(underWay + 1, options.ms);
        box->setOpacity(box->opacity() > 0.5 ? 0.4 : 1.0);
    }

private:
    bool isDue(int frame) const { return frame % options.every == 0; }

    void plant()
    {
        connect(this, &QQuickWindow::afterSynchronizing, this, [this] {
            underWay = swapped + 1;
            if (options.at == "sync" && isDue(underWay)) {
                burn(underWay, options.ms);
            }
        }, Qt::DirectConnection);
        connect(this, &QQuickWindow::beforeRendering, this, [this] {
            if (options.at == "render" && isDue(swapped + 1)) {
                burn(swapped + 1, options.ms);
            }
        }, Qt::DirectConnection);
        connect(this, &QQuickWindow::frameSwapped, this, [this] {
            if (++swapped == options.frames) {
                QMetaObject::invokeMethod(qApp, "quit", Qt::QueuedConnection);
            }
        }, Qt::DirectConnection);
        connect(box.get(), &QQuickItem::xChanged, this, [this] { moved(); });
        polished.act = [this] { burn(underWay + 1, options.ms); };
    }

    /* Called when the animation has moved the box, once per frame. */
    void moved()
    {
        const int frame = underWay + 1;
        if (!isDue(frame) || frame == last) {
            return;
        }
        last = frame;
        if (options.at == "animation") {
            burn(frame, options.ms);
        } else if (options.at == "polish") {
            polished.polish();
        } else if (options.at == "timer") {
            QTimer::singleShot(1, Qt::PreciseTimer, this, [this] {
                burn(underWay + 1, options.ms);
            });
        } else if (options.at == "input") {
            QTimer::singleShot(1, Qt::PreciseTimer, this, [this] {
                qt_handleKeyEvent(this, QEvent::KeyPress, Qt::Key_A, Qt::NoModifier);
            });
        }
    }

    const Options options;
    std::unique_ptr<QQuickItem> box;
    Polished polished;
    int last = 0;
};

Options read(int count, char **words)
{
    Options options;
    for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        const char *value = i + 1 < count ? words[i + 1] : "";
        if (word == "--destroy") {
            options.destroy = true;
            continue;
        }
        i++;
        if (word == "--at") {
            options.at = value;
        } else if (word == "--ms") {
            options.ms = atof(value);
        } else if (word == "--every") {
            options.every = atoi(value);
        } else if (word == "--frames") {
            options.frames = atoi(value);
        } else if (word == "--windows") {
            options.windows = atoi(value);
        } else if (word == "--burst-ms") {
            options.burstMs = atoi(value);
        } else if (word == "--idle-ms") {
            options.idleMs = atoi(value);
        } else {
            fprintf(stderr, "quick: what is %s?\n", word.c_str());
            exit(2);
        }
    }
    return options;
}

} // namespace

int main(int argc, char **argv)
{
    QGuiApplication app(argc, argv);
    const Options options = read(argc, argv);
    QQmlEngine engine;
    Scene scene(&engine, options, true);
    scene.show();
    std::vector<std::unique_ptr<Scene>> others;
    for (int i = 1; i < options.windows; i++) {
        others.emplace_back(new Scene(&engine, options, false));
        others.back()->show();
    }
    QTimer replacing;
    if (options.destroy) { /* The other windows are destroyed at any time during the
                            * render thread's work. */
        QObject::connect(&replacing, &QTimer::timeout, [&] {
            others.clear();
            others.emplace_back(new Scene(&engine, options, false));
            others.back()->show();
        });
        replacing.start(97);
    }
    const int status = app.exec();
    others.clear();
    scene.hide();
    for (const Burnt &one : burnt) {
        printf("burnt frame %d took_ms %.3f\n", one.frame, one.ms);
    }
    printf("frames %d\n", scene.swapped.load());
    return status;
}
