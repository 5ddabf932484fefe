/* look.js: what the browser measures in each page (see look). Writes a line for each fault, and
 * "done N" at the end. */
(function () {
    'use strict';
    var WIDTHS = [1500, 800, 390];
    var frame = document.getElementById('f'), said = document.getElementById('said');
    var axe = document.getElementById('axe');
    var seen = 0;

    function say(words) { said.textContent += words + '\n'; }

    function wait(until, times) {
        return new Promise(function (resolve) {
            (function again() {
                if (until() || times-- <= 0) resolve();
                else setTimeout(again, 50);
            }());
        });
    }

    /* rgb(1, 2, 3) or rgba(1, 2, 3, .5) */
    function parse(color) {
        var n = color.match(/[\d.]+/g).map(Number);
        return {r: n[0], g: n[1], b: n[2], a: n.length > 3 ? n[3] : 1};
    }

    function over(top, below) {
        function mix(x) { return top[x] * top.a + below[x] * (1 - top.a); }
        return {r: mix('r'), g: mix('g'), b: mix('b'), a: 1};
    }

    /* WCAG 2's relative luminance */
    function luminance(c) {
        function part(x) {
            x /= 255;
            return x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
        }
        return 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b);
    }

    function ground(element, style) {
        var layers = [], result;
        for (; element; element = element.parentElement)
            layers.push(parse(style(element).backgroundColor));
        var dark = matchMedia('(prefers-color-scheme: dark)').matches, bare = dark ? 18 : 255;
        result = {r: bare, g: bare, b: bare, a: 1};
        while (layers.length) result = over(layers.pop(), result);
        return result;
    }

    function pale(view) {
        var told = {};
        var style = function (element) { return view.getComputedStyle(element); };
        var walker = view.document.createTreeWalker(view.document.body, NodeFilter.SHOW_TEXT);
        for (var node; (node = walker.nextNode());) {
            var element = node.parentElement;
            if (!node.data.trim() || !element.getClientRects().length) continue;
            if (element.closest('svg, script, style, math, .skip')) continue;
            var s = style(element), below = ground(element, style);
            var a = luminance(over(parse(s.color), below)) + 0.05, b = luminance(below) + 0.05;
            var ratio = a > b ? a / b : b / a, size = parseFloat(s.fontSize);
            var large = size >= 24 || (size >= 18.66 && parseInt(s.fontWeight, 10) >= 700);
            var key = s.color + JSON.stringify(below);
            if (ratio >= (large ? 3 : 4.5) || told[key]) continue;
            told[key] = true;
            say(view.name + ': a contrast of ' + ratio.toFixed(2) + ': ' +
                node.data.trim().slice(0, 40));
        }
    }

    async function search(view, name) {
        var box = view.document.getElementById('search'), links = [];
        if (box) {
            box.focus();
            box.value = '__syncthreads barr';
            box.dispatchEvent(new view.Event('focus'));
            box.dispatchEvent(new view.Event('input'));
            await wait(function () {
                links = view.document.querySelectorAll('#found a');
                return links.length;
            }, 400);
        }
        var places = Array.prototype.map.call(links, function (link) { return link.href; });
        var right = /handouts\/(lab3|debugging)\.html#/;
        if (!places.some(function (place) { return right.test(place); }))
            say(name + ': the search finds nothing');
    }

    async function rules(view, name) {
        var script = view.document.createElement('script');
        script.textContent = axe.textContent;
        view.document.head.appendChild(script);
        var results = await view.axe.run(view.document, {resultTypes: ['violations']});
        results.violations.forEach(function (v) {
            say(name + ': axe: ' + v.id + ': ' + v.help + ': ' + v.nodes[0].html.slice(0, 120));
        });
    }

    async function look(page, width) {
        frame.width = width;
        await new Promise(function (resolve) {
            frame.onload = resolve;
            frame.src = site + page;
        });
        var view = frame.contentWindow;
        view.name = page;
        var wide = view.document.documentElement.scrollWidth - width;
        if (wide > 0) say(page + ': ' + width + ' wide: ' + wide + ' pixels too wide');
        if (width === WIDTHS[0]) pale(view);
        if (width === WIDTHS[0] && page === 'index.html') await search(view, page);
        if (axe && width !== WIDTHS[1]) await rules(view, page);
        seen++;
    }

    (async function () {
        try {
            for (var i = 0; i < pages.length; i++)
                for (var j = 0; j < WIDTHS.length; j++) await look(pages[i], WIDTHS[j]);
        } catch (error) {
            say(pages[i] + ': ' + error);
        }
        say('done ' + seen);
    }());
}());
