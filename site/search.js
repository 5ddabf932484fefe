/* search.js: the search box. The index is read when somebody first looks for something; lunr, which
 * lies beside it, does the finding. Works from a web server and from a folder alike: nothing is
 * fetched. Without JavaScript there is no box, and the menu leads everywhere. */
(function () {
    'use strict';
    var base = document.currentScript.getAttribute('data-base');
    var form = document.querySelector('header form');
    var box = document.getElementById('search');
    var found = document.getElementById('found');
    var index = null, waiting = false;
    /* Code is full of words without blanks between them: cudaMemcpy(d_A, A, bytes, ...). */
    var SEPARATOR = /[\s\-(){}[\],;:<>=*&|"'`./\\]+/;
    form.hidden = false;

    function load(name, then) {
        var script = document.createElement('script');
        script.src = base + 'site/' + name;
        script.onload = then;
        document.head.appendChild(script);
    }

    function prepare() {
        if (waiting) return;
        waiting = true;
        load('lunr.js', function () {
            load('index.js', function () {
                lunr.tokenizer.separator = SEPARATOR;
                index = lunr(function () {
                    this.ref('at');
                    this.field('page', {boost: 4});
                    this.field('title', {boost: 8});
                    this.field('text');
                    this.metadataWhitelist = [];
                    searchIndex.forEach(function (entry, at) {
                        this.add({at: at, page: entry[1], title: entry[2], text: entry[3]});
                    }, this);
                });
                show();
            });
        });
    }

    /* Sections with all words; the last word may be unfinished. */
    function matches(words) {
        return index.query(function (q) {
            words.forEach(function (word, i) {
                q.term(lunr.stemmer(new lunr.Token(word, {})).toString(),
                       {presence: lunr.Query.presence.REQUIRED,
                        wildcard: i === words.length - 1 ? lunr.Query.wildcard.TRAILING
                                                         : lunr.Query.wildcard.NONE});
            });
        });
    }

    function part(tag, text, parent) {
        var element = document.createElement(tag);
        element.textContent = text;
        parent.appendChild(element);
        return element;
    }

    /* The words around the first that was looked for. */
    function around(text, word) {
        var at = Math.max(0, text.toLowerCase().indexOf(word) - 50);
        var end = at + 150 < text.length ? ' …' : '';
        return (at ? '… ' : '') + text.slice(at, at + 150) + end;
    }

    function show() {
        var words = box.value.toLowerCase().split(SEPARATOR).filter(Boolean);
        found.textContent = '';
        found.hidden = !words.length;
        if (!words.length) return;
        if (!index) {
            part('p', 'Reading the index …', found);
            return;
        }
        words = words.filter(function (word) {
            return lunr.stopWordFilter(new lunr.Token(word, {}));
        });
        var hits = words.length ? matches(words) : [];
        part('p', hits.length === 1 ? '1 section' : hits.length + ' sections', found);
        var list = part('ul', '', found);
        hits.slice(0, 12).forEach(function (hit) {
            var entry = searchIndex[hit.ref];
            var link = part('a', '', part('li', '', list));
            link.href = base + entry[0];
            part('strong', entry[2] || entry[1], link);
            if (entry[2] && entry[2] !== entry[1]) part('span', ' ' + entry[1], link);
            part('small', around(entry[3], words[0]), link);
        });
    }

    box.addEventListener('focus', prepare);
    box.addEventListener('input', function () { prepare(); show(); });
    form.addEventListener('submit', function (event) {
        event.preventDefault();
        var first = found.querySelector('a');
        if (first) location.href = first.href;
    });
    document.addEventListener('keydown', function (event) {
        if (event.key === '/' && !/^(input|textarea)$/i.test(event.target.tagName)) {
            event.preventDefault();
            box.focus();
        } else if (event.key === 'Escape') {
            found.hidden = true;
        }
    });
    found.addEventListener('click', function () { found.hidden = true; });
}());
